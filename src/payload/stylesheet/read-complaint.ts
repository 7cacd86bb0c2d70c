// What the engine says when something is wrong, made into one sentence and a line. It says a place and the matter in two lines, or the
// matter alone, and often the same in other words again:
//
//   stylesheet-…:3: parser error : Opening and ending tag mismatch: a line 3 and xsl:template
//   runtime error: file stylesheet-… line 3 element value-of
//   Variable 'x' has not been declared.
//   XPath error : Undefined variable: x
//
// What a stylesheet says with xsl:message comes the same way. It cannot pass for the engine, since it cannot know how its document is named.

import { randomUUID } from 'node:crypto';

export interface Complaint {
  readonly message: string;
  readonly line: number | undefined;
}

const nobodyKnows = randomUUID();
/** Names the document that is meant. */
export const stylesheetName = `stylesheet-${nobodyKnows}`;
export const objectName = `object-${nobodyKnows}`;

const place = new RegExp(`^(?:runtime|compilation) error: file ${stylesheetName}(?: line (\\d+))?(?: element (\\S+))?`);
/** The engine does not always know where it is. */
const nowhere = /^compilation error()(?:: element (\S+))?$/;
const parserError = new RegExp(`^(?:${stylesheetName}|${objectName}):(\\d+): (?:parser|namespace) error : (.*)$`);
const charsMax = 500;

/** Undefined where nothing was said, and where all that was said may be messages of the stylesheet itself. */
export function readComplaint(said: string): Complaint | undefined {
  const lines = said.split('\n');
  const parsed = lines.map((line) => parserError.exec(line)).find((match) => match !== null);
  if (parsed) return { message: sentence(withoutFunction(parsed[2]!)), line: Number(parsed[1]) };
  const at = lines.findIndex((line) => place.test(line));
  return at < 0 ? undefined : complaintAt(lines, at, place);
}

/** What was said before anything of it ran. */
export function readCompilerComplaint(said: string): Complaint | undefined {
  const lines = said.split('\n');
  const at = lines.findIndex((line) => nowhere.test(line));
  return readComplaint(said) ?? (at < 0 ? undefined : complaintAt(lines, at, nowhere));
}

function complaintAt(lines: readonly string[], at: number, pattern: RegExp): Complaint {
  const [, line, element] = pattern.exec(lines[at]!)!;
  const matter = withoutFunction(matterOf(lines[at - 1], lines[at + 1] ?? ''));
  const isShown = element !== undefined && !matter.includes(element);
  return { message: sentence(isShown ? `${element}: ${matter}` : matter), line: line ? Number(line) : undefined };
}

/** What XPath says stands before the place; what follows may say no more than that it failed. */
function matterOf(before: string | undefined, after: string): string {
  const cause = /^XPath error : (.+)$/.exec(before ?? '')?.[1];
  if (cause === undefined) return after;
  return after === 'XPath evaluation returned no result.' ? cause : `${cause}: ${after}`;
}

/** The messages of a stylesheet that ended itself. */
export function readMessages(said: string): string {
  return said.trim().slice(-charsMax);
}

/** Which of its functions says so is of no use to anybody, but for what the parser was at: `EntityRef: no name`. */
function withoutFunction(matter: string): string {
  return matter.replace(/\b(?:xmlParse(?=[A-Z])|(?:e?xslt|xml)[A-Z]\w* ?: )/, '');
}

function sentence(matter: string): string {
  const text = matter.trim().slice(0, charsMax);
  return /[.!?]\)?$/.test(text) ? text : `${text}.`;
}
