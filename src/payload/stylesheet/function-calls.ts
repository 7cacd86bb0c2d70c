// The functions that an expression of XPath 1.0 calls, found without parsing it: texts in quotes are taken out, and what stands before an
// opening bracket is a call. The engine parses it properly later.

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

/** The expressions in the braces of an attribute value template; `{{` and `}}` mean the braces themselves. */
export function expressionsIn(template: string): string[] {
  return [...template.replaceAll('{{', '').matchAll(braces)].map(([, expression]) => expression!);
}

const texts = /"[^"]*"|'[^']*'/g;
const braces = /\{((?:"[^"]*"|'[^']*'|[^}"'])*)\}?/g;
/** Begins where a name does, so a long name is looked at once. */
const call =
  /(?<![\p{L}\p{M}\p{N}._\-·])(?:([\p{L}_][\p{L}\p{M}\p{N}._\-·]*):)?([\p{L}_][\p{L}\p{M}\p{N}._\-·]*)\s*\(/gu;

/** Operators, and tests of nodes. */
const noFunctions = new Set(['and', 'or', 'div', 'mod', 'node', 'text', 'comment', 'processing-instruction']);
