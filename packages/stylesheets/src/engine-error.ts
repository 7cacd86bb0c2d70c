// Turns the error output of the engine into one sentence and a line. The engine writes a position and a message on two
// lines, or the message alone, and often repeats it in other words:
//
//   stylesheet-…:3: parser error : Opening and ending tag mismatch: a line 3 and xsl:template
//   runtime error: file stylesheet-… line 3 element value-of
//   Variable 'x' has not been declared.
//   XPath error : Undefined variable: x
//
// The output of xsl:message comes the same way. It cannot imitate the engine, because a stylesheet cannot know the name
// of its document.

import { randomUUID } from 'node:crypto';

export interface Mistake {
  readonly message: string;
  readonly line: number | undefined;
}

const secret = randomUUID();
/** The name of the document in the output of the engine. */
export const stylesheetName = `stylesheet-${secret}`;
export const objectName = `object-${secret}`;

const place = new RegExp(`^(?:runtime|compilation) error: file ${stylesheetName}(?: line (\\d+))?(?: element (\\S+))?`);
/** The engine does not always know the position. */
const nowhere = /^compilation error()(?:: element (\S+))?$/;
const parserError = new RegExp(`^(?:${stylesheetName}|${objectName}):(\\d+): (?:parser|namespace) error : (.*)$`);
const charsMax = 500;

/** Returns undefined if there is no output, or if all of it may be messages of the stylesheet itself. */
export function readError(output: string): Mistake | undefined {
  const lines = output.split('\n');
  const parsed = lines.map((line) => parserError.exec(line)).find((match) => match !== null);
  if (parsed) return { message: sentence(withoutFunction(parsed[2]!)), line: Number(parsed[1]) };
  const at = lines.findIndex((line) => place.test(line));
  return at < 0 ? undefined : errorAt(lines, at, place);
}

/** For output from before the stylesheet ran: none of it can be a message of the stylesheet. */
export function readCompilerError(output: string): Mistake | undefined {
  const lines = output.split('\n');
  const at = lines.findIndex((line) => nowhere.test(line));
  return readError(output) ?? (at < 0 ? undefined : errorAt(lines, at, nowhere));
}

function errorAt(lines: readonly string[], at: number, pattern: RegExp): Mistake {
  const [, line, element] = pattern.exec(lines[at]!)!;
  const message = withoutFunction(messageOf(lines[at - 1], lines[at + 1] ?? ''));
  const isShown = element !== undefined && !message.includes(element);
  return { message: sentence(isShown ? `${element}: ${message}` : message), line: line ? Number(line) : undefined };
}

/** The message of XPath precedes the position. The line that follows may say only that XPath failed. */
function messageOf(before: string | undefined, after: string): string {
  const cause = /^XPath error : (.+)$/.exec(before ?? '')?.[1];
  if (cause === undefined) return after;
  return after === 'XPath evaluation returned no result.' ? cause : `${cause}: ${after}`;
}

/** The messages of a stylesheet that terminated itself. */
export function readMessages(output: string): string {
  return output.trim().slice(-charsMax);
}

/** Removes names of engine functions, but keeps what the parser was reading: `EntityRef: no name`. */
function withoutFunction(message: string): string {
  return message.replace(/\b(?:xmlParse(?=[A-Z])|(?:e?xslt|xml)[A-Z]\w* ?: )/, '');
}

function sentence(message: string): string {
  const text = message.trim().slice(0, charsMax);
  return /[.!?]\)?$/.test(text) ? text : `${text}.`;
}
