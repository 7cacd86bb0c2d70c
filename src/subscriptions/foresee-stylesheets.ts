// Stylesheets are compiled when they are saved, before a transaction is opened: nobody else waits for one that is large.

import type { Violation } from '../errors.ts';
import { joinPath } from '../json/join-path.ts';
import type { PlacedBody } from '../objects/placed-bodies.ts';
import { decodeStylesheet } from '../payload/stylesheet/decode-stylesheet.ts';
import type { Stylesheets } from '../payload/stylesheet/stylesheets.ts';
import type { SandboxTurns } from './sandbox-turns.ts';

export interface ForeseeStylesheetsParts {
  stylesheets: Pick<Stylesheets, 'check'>;
  turns: SandboxTurns;
}

/** `userKey`: whose turn is taken. */
export async function foreseeStylesheets(
  bodies: readonly PlacedBody[],
  userKey: number | undefined,
  { stylesheets, turns }: ForeseeStylesheetsParts,
): Promise<Violation[]> {
  const check = (text: string) => turns.take(userKey, () => stylesheets.check(text));
  const said = bodies.flatMap(({ body, path }) => {
    const xsl = body instanceof Map ? body.get('xsl') : undefined;
    return typeof xsl === 'string' ? [{ path: joinPath(path, 'xsl'), xsl }] : [];
  });
  // The same one for many subscriptions is compiled once.
  const mistakes = new Map<string, string | undefined>();
  for (const { xsl } of said) if (!mistakes.has(xsl)) mistakes.set(xsl, await mistakeOf(xsl, check));
  return said.flatMap(({ path, xsl }) => {
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
