// A script's body as the function that the engine compiles, and its places as they are in the body.

/** On the same line as the body's first, so that lines need no counting. */
const opening = "(function (svcObject, oldSvcObject, user, parameters, message) { 'use strict'; ";

/** Line and column count from 1; a column is one UTF-16 unit. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The end stands on a line of its own: the body may end with a comment. */
export function sourceOf(body: string): string {
  return `${opening}${body}\n})`;
}

export function placeInBody({ line, column }: Place): Place {
  return { line, column: line === 1 ? Math.max(1, column - opening.length) : column };
}

/**
 * A frame of the script, or where its own text is wrong. The texts that it gives to JSON.parse are `<input>` as well, and what the
 * engine adds to a class stands in line 0.
 */
const ownFrame = /<input>:([1-9]\d*):(\d+)(?:\)|\n +at eval \(native\))/;

/** Of the script's own innermost frame, with its offset in the body. The engine counts columns in bytes of UTF-8. */
export function placeInStack(stack: string, body: string): (Place & { readonly offset: number }) | undefined {
  const found = ownFrame.exec(stack);
  if (!found) return undefined;
  const line = Number(found[1]);
  const source = sourceOf(body);
  const start = startOfLine(source, line);
  const before = Buffer.from(source.slice(start))
    .subarray(0, Number(found[2]) - 1)
    .toString();
  const offset = start + before.length - opening.length;
  return { ...placeInBody({ line, column: before.length + 1 }), offset };
}

function startOfLine(text: string, line: number): number {
  const breaks = /\r\n|[\n\r\u2028\u2029]/g;
  for (let n = 1; n < line && breaks.exec(text); n++);
  return breaks.lastIndex;
}

/** Which of the names a script can read: without `eval` there is no other way to them than these. */
export function canRead(body: string, name: string): boolean {
  return body.includes(name) || body.includes('arguments') || body.includes('\\u');
}
