// Wraps the body of a script in the function that the engine compiles, and maps positions back to the body.

/** On the first line of the body, so that line numbers need no correction. */
const opening = "(function (svcObject, oldSvcObject, user, parameters, message) { 'use strict'; ";

/** Line and column count from 1; a column is one UTF-16 code unit. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** The closing brace has its own line, because the body may end with a line comment. */
export function sourceOf(body: string): string {
  return `${opening}${body}\n})`;
}

export function placeInBody({ line, column }: SourcePosition): SourcePosition {
  return { line, column: line === 1 ? Math.max(1, column - opening.length) : column };
}

/**
 * A stack frame of the script, or the position of its syntax error. The pattern excludes the texts that a script passes
 * to JSON.parse, which are named `<input>`, too. It also excludes code that the engine adds to a class, at line 0.
 */
const ownFrame = /<input>:([1-9]\d*):(\d+)(?:\)|\n +at eval \(native\))/;

/** The script's own innermost frame, with its offset in the body. The engine counts columns in UTF-8 bytes. */
export function placeInStack(stack: string, body: string): (SourcePosition & { readonly offset: number }) | undefined {
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

/** Whether a script can read an input. Without `eval`, that takes the name, `arguments`, or an escape in the name. */
export function canRead(body: string, name: string): boolean {
  return body.includes(name) || body.includes('arguments') || body.includes('\\u');
}
