// Stylesheets are compiled when they are saved, before a transaction is opened: nobody else waits for one that is large.

import type { Violation } from '../errors.ts';
import type { JsonValue } from '../json/parse-json.ts';
import { joinPath } from '../objects/check-body.ts';
import { decodeStylesheet } from '../payload/stylesheet/decode-stylesheet.ts';
import type { Stylesheets } from '../payload/stylesheet/stylesheets.ts';
import { whileBusy } from './check-in-sandbox.ts';

export async function foreseeStylesheets(
  body: JsonValue,
  stylesheets: Pick<Stylesheets, 'check'>,
): Promise<Violation[]> {
  const elements: [JsonValue, string][] = Array.isArray(body)
    ? body.map((element, index) => [element, `[${index}]`])
    : [[body, '']];
  const said = elements.flatMap(([element, place]) => {
    const xsl = element instanceof Map ? element.get('xsl') : undefined;
    return typeof xsl === 'string' ? [{ path: joinPath(place, 'xsl'), xsl }] : [];
  });
  // The same one for many subscriptions is compiled once.
  const mistakes = new Map<string, string | undefined>();
  for (const { xsl } of said) if (!mistakes.has(xsl)) mistakes.set(xsl, await mistakeOf(xsl, stylesheets));
  return said.flatMap(({ path, xsl }) => {
    const message = mistakes.get(xsl);
    return message === undefined ? [] : [{ path, message }];
  });
}

async function mistakeOf(xsl: string, stylesheets: Pick<Stylesheets, 'check'>): Promise<string | undefined> {
  const decoded = decodeStylesheet(xsl);
  if (decoded.kind === 'mistaken') return decoded.message;
  const checked = await whileBusy(stylesheets.check(decoded.text));
  if (checked.kind === 'fits') return undefined;
  return checked.line === undefined ? checked.message : `Line ${checked.line}: ${checked.message}`;
}
