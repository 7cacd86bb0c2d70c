// Finds the functions that an XPath 1.0 expression calls, without parsing it. It removes quoted strings; a name before
// an opening parenthesis is a call. The engine parses the expression properly later.

export interface FunctionCall {
  readonly prefix: string;
  readonly name: string;
}

export function callsIn(expression: string): FunctionCall[] {
  const calls: FunctionCall[] = [];
  for (const [, prefix, name] of expression.replace(texts, '""').matchAll(call))
    if (prefix !== undefined || !noFunctions.has(name!)) calls.push({ prefix: prefix ?? '', name: name! });
  return calls;
}

/** The expressions in the braces of an attribute value template; `{{` and `}}` are literal braces. */
export function expressionsIn(template: string): string[] {
  return [...template.replaceAll('{{', '').matchAll(braces)].map(([, expression]) => expression!);
}

const texts = /"[^"]*"|'[^']*'/g;
const braces = /\{((?:"[^"]*"|'[^']*'|[^}"'])*)\}?/g;
/** Matches only from the start of a name, so that a long name is scanned once. */
const call =
  /(?<![\p{L}\p{M}\p{N}._\-·])(?:([\p{L}_][\p{L}\p{M}\p{N}._\-·]*):)?([\p{L}_][\p{L}\p{M}\p{N}._\-·]*)\s*\(/gu;

/** Operators and node tests. */
const noFunctions = new Set(['and', 'or', 'div', 'mod', 'node', 'text', 'comment', 'processing-instruction']);
