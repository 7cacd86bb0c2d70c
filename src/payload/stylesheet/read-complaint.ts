// What the engine says when something is wrong, made into one sentence and a line. It says a place and the matter in two lines, or the
// matter alone, and often the same in other words again:
//
//   stylesheet:3: parser error : Opening and ending tag mismatch: a line 3 and xsl:template
//   runtime error: file stylesheet line 3 element value-of
//   Variable 'x' has not been declared.
//   XPath error : Undefined variable: x

export interface Complaint {
  readonly message: string;
  readonly line: number | undefined;
}

/** Names the document that is meant. */
export const stylesheetName = 'stylesheet';

const place = /^(?:runtime|compilation) error(?:: file stylesheet)?(?: line (\d+))?(?: element (\S+))?/;
const parserError = /^(?:stylesheet|object):(\d+): (?:parser|namespace) error : (.*)$/;
const charsMax = 500;

/** Undefined where nothing was said, and where all that was said may be messages of the stylesheet itself. */
export function readComplaint(said: string): Complaint | undefined {
  const lines = said.split('\n');
  const parsed = lines.map((line) => parserError.exec(line)).find((match) => match !== null);
  if (parsed) return { message: sentence(parsed[2]!), line: Number(parsed[1]) };
  const at = lines.findIndex((line) => place.test(line));
  if (at < 0) return undefined;
  const [, line, element] = place.exec(lines[at]!)!;
  const matter = matterOf(lines[at - 1], lines[at + 1] ?? '');
  const isShown = element !== undefined && !matter.includes(element);
  return {
    message: sentence(isShown ? `${element}: ${matter}` : matter),
    line: line === undefined ? undefined : Number(line),
  };
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

function sentence(matter: string): string {
  // Which of its functions says so is of no use to anybody.
  const text = matter
    .replace(/\bxslt\w+ ?: /, '')
    .trim()
    .slice(0, charsMax);
  return /[.!?]\)?$/.test(text) ? text : `${text}.`;
}
