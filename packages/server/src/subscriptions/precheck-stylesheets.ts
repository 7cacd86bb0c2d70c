// Compiles stylesheets when they are saved. This happens before a transaction is opened, so that nothing else waits for
// a large stylesheet.

import type { Stylesheets } from '@flaghoist/stylesheets';
import { decodeStylesheet } from '@flaghoist/stylesheets';
import type { Violation } from '../errors.ts';
import { joinPath } from '../json/join-path.ts';

import type { PlacedBody } from '../objects/type-rules.ts';
import type { SandboxTurns } from '../scripts/sandbox-turns.ts';

export interface PrecheckStylesheetsParts {
  stylesheets: Pick<Stylesheets, 'check'>;
  turns: SandboxTurns;
}

/** `userKey`: the user whose turn in the sandbox is taken. */
export async function precheckStylesheets(
  bodies: readonly PlacedBody[],
  userKey: number | undefined,
  { stylesheets, turns }: PrecheckStylesheetsParts,
): Promise<Violation[]> {
  const check = (text: string) => turns.take(userKey, () => stylesheets.check(text));
  const sent = bodies.flatMap(({ body, path }) => {
    const xsl = body instanceof Map ? body.get('xsl') : undefined;
    return typeof xsl === 'string' ? [{ path: joinPath(path, 'xsl'), xsl }] : [];
  });
  // A stylesheet that several subscriptions share is compiled once.
  const mistakes = new Map<string, string | undefined>();
  for (const { xsl } of sent) if (!mistakes.has(xsl)) mistakes.set(xsl, await mistakeOf(xsl, check));
  return sent.flatMap(({ path, xsl }) => {
    const message = mistakes.get(xsl);
    return message === undefined ? [] : [{ path, message }];
  });
}

async function mistakeOf(xsl: string, check: Stylesheets['check']): Promise<string | undefined> {
  const decoded = decodeStylesheet(xsl);
  if (decoded.kind === 'mistaken') return decoded.message;
  const checked = await check(decoded.text);
  if (checked.kind === 'fits') return undefined;
  return checked.line === undefined ? checked.message : `Line ${checked.line}: ${checked.message}`;
}
