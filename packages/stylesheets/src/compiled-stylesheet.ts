// Compiles a stylesheet: parses it, rejects what is not allowed, compiles it, and sets its output encoding to UTF-8.

import { placeInText } from '@flaghoist/source-text';
import { checkTree, doctypeMistake } from './check-tree.ts';
import type { Engine } from './engine.ts';
import { type Mistake, readCompilerError, stylesheetName } from './engine-error.ts';
import { readTree } from './xml-tree.ts';

export type Compiled =
  | { readonly kind: 'compiled'; readonly address: number }
  | ({ readonly kind: 'mistaken' } & Mistake);

/** Nothing is loaded from external entities or the network; CDATA is parsed as text. */
const parseOptions = { noNetwork: 1 << 11, noCdata: 1 << 14, noExternalEntities: 1 << 23 };
const parseFlags = parseOptions.noNetwork | parseOptions.noCdata | parseOptions.noExternalEntities;

/** Offsets in the stylesheet structure of libxslt, in 32 bits. */
const offsets = { method: 96, encoding: 108, mediaType: 136 };
const htmlDocument = 13;
const nodeType = 4;

/** Returns 0 if the text is not well-formed. */
export function parseXml(engine: Engine, text: string, name: string): number {
  const written = engine.write(text);
  const named = engine.write(name);
  const document = engine.run.xmlReadMemory(written.address, written.length, named.address, 0, parseFlags);
  engine.run.free(written.address);
  engine.run.free(named.address);
  return document;
}

export function compileStylesheet(engine: Engine, text: string): Compiled {
  const doctype = doctypeIn(text);
  if (doctype !== undefined) return mistaken(doctypeMistake(placeInText(text, doctype).line));
  const document = parseXml(engine, text, stylesheetName);
  // An undeclared prefix does not stop the parser.
  const error = readCompilerError(engine.takeOutput());
  if (document === 0) return mistaken(error ?? { message: 'The stylesheet is not well-formed XML.', line: undefined });
  const mistake = error ?? checkTree(readTree(engine, document));
  const address = mistake ? 0 : engine.run.xsltParseStylesheetDoc(document);
  const output = engine.takeOutput();
  if (address === 0) {
    engine.run.xmlFreeDoc(document);
    return mistaken(mistake ?? readCompilerError(output) ?? { message: 'This is not a stylesheet.', line: undefined });
  }
  declareUtf8(engine, address);
  return { kind: 'compiled', address };
}

/** Where a DOCTYPE begins. A text with a DOCTYPE is not even parsed: its entities could expand to a huge text. */
function doctypeIn(text: string): number | undefined {
  prolog.lastIndex = 0;
  let at = 0;
  while (prolog.test(text)) at = prolog.lastIndex;
  return text.startsWith('<!DOCTYPE', at) ? at : undefined;
}

/** One piece of what may precede a DOCTYPE. */
const prolog = /\s+|<!--[\s\S]*?-->|<\?[\s\S]*?\?>/y;

/** With `charset=utf-8`, whatever encoding the stylesheet asks for. */
export function contentTypeOf(engine: Engine, stylesheet: number, result: number): string {
  const own = engine.read(engine.readAddress(stylesheet + offsets.mediaType));
  // An invalid media type must not become a header.
  const isUsable = own !== undefined && /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/.test(own);
  return `${isUsable ? own : mediaTypeOf(engine, stylesheet, result)}; charset=utf-8`;
}

function mediaTypeOf(engine: Engine, stylesheet: number, result: number): string {
  const method = engine.read(engine.readAddress(stylesheet + offsets.method));
  if (method === 'text') return 'text/plain';
  const isHtml = engine.readAddress(result + nodeType) === htmlDocument;
  return method === 'html' || (method === undefined && isHtml) ? 'text/html' : 'application/xml';
}

/** The output bytes are always UTF-8. This sets the encoding that the output declares. */
function declareUtf8(engine: Engine, stylesheet: number): void {
  const encoding = engine.readAddress(stylesheet + offsets.encoding);
  if (encoding === 0) return;
  engine.run.free(encoding);
  engine.writeAddress(stylesheet + offsets.encoding, engine.write('UTF-8').address);
}

function mistaken({ message, line }: Mistake): Compiled {
  return { kind: 'mistaken', message, line };
}
