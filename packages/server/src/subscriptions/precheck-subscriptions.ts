// The slow checks of subscriptions that are saved: resolves host names and compiles stylesheets. They run before a
// transaction is opened, so that nothing else waits for another system or a large stylesheet.

import { decodeStylesheet, type Stylesheets } from '@flaghoist/stylesheets';
import type { AddressChecks } from '../channels/registry/channel-registry.ts';
import type { Violation } from '../errors.ts';
import { joinPath } from '../json/join-path.ts';
import type { JsonObject, JsonValue } from '../json/parse-json.ts';
import type { PlacedBody, PrecheckRequest } from '../objects/type-rules.ts';
import type { SandboxTurns } from '../scripts/sandbox-turns.ts';

export interface PrecheckSubscriptionsParts {
  addresses: AddressChecks;
  stylesheets: Pick<Stylesheets, 'check'>;
  turns: SandboxTurns;
}

export async function precheckSubscriptions(
  parts: PrecheckSubscriptionsParts,
  { bodies, caller }: PrecheckRequest,
): Promise<Violation[]> {
  const violations = await Promise.all([
    precheckAddresses(bodies, parts.addresses),
    precheckStylesheets(bodies, caller.userKey, parts),
  ]);
  return violations.flat();
}

/** Mistakes in the text of an address are reported with the rest of the body. */
async function precheckAddresses(bodies: readonly PlacedBody[], checks: AddressChecks): Promise<Violation[]> {
  const sent = [['url'], ['channelInfo', 'URL'], ['channelInfo', 'auth', 'tokenUrl']].flatMap((path) =>
    textsAt(bodies, path.join('.'), (body) => valueAt(body, path)),
  );
  const violations = await Promise.all(
    Object.values(checks).map(async ({ check, precheck }) => {
      const valid = sent.filter(({ text }) => check(text) === undefined);
      return violationsOf(valid, (await precheck?.(valid.map(({ text }) => text))) ?? new Map());
    }),
  );
  return violations.flat();
}

async function precheckStylesheets(
  bodies: readonly PlacedBody[],
  userKey: number | undefined,
  { stylesheets, turns }: PrecheckSubscriptionsParts,
): Promise<Violation[]> {
  const sent = textsAt(bodies, 'xsl', (body) => body.get('xsl'));
  // A stylesheet that several subscriptions share is compiled once.
  const mistakes = new Map<string, string | undefined>();
  for (const { text } of sent) {
    if (mistakes.has(text)) continue;
    mistakes.set(text, await findStylesheetMistake(text, (xsl) => turns.take(userKey, () => stylesheets.check(xsl))));
  }
  return violationsOf(sent, mistakes);
}

async function findStylesheetMistake(xsl: string, check: Stylesheets['check']): Promise<string | undefined> {
  const decoded = decodeStylesheet(xsl);
  if (decoded.kind === 'mistaken') return decoded.message;
  const checked = await check(decoded.text);
  if (checked.kind === 'fits') return undefined;
  return checked.line === undefined ? checked.message : `Line ${checked.line}: ${checked.message}`;
}

interface PlacedText {
  path: string;
  text: string;
}

function textsAt(
  bodies: readonly PlacedBody[],
  name: string,
  read: (body: JsonObject) => JsonValue | undefined,
): PlacedText[] {
  return bodies.flatMap(({ body, path }) => {
    const text = body instanceof Map ? read(body) : undefined;
    return typeof text === 'string' ? [{ path: joinPath(path, name), text }] : [];
  });
}

function valueAt(value: JsonValue | undefined, [name, ...rest]: readonly string[]): JsonValue | undefined {
  if (name === undefined) return value;
  return value instanceof Map ? valueAt(value.get(name), rest) : undefined;
}

function violationsOf(sent: readonly PlacedText[], mistakes: ReadonlyMap<string, string | undefined>): Violation[] {
  return sent.flatMap(({ path, text }) => {
    const message = mistakes.get(text);
    return message === undefined ? [] : [{ path, message }];
  });
}
