// The tree of a script, as acorn parses it, and a walk over it. However a script is nested, parsing it stays far from the end of the stack:
// what happens there is for V8 to say, and it ends the whole process where a regular expression has to be compiled.

import { type Node, type Options, Parser } from 'acorn';

/** Without `using`, which is not finished. */
const language: Options = { ecmaVersion: 2025, sourceType: 'script' };

/** Of calls in `recursive`; a parenthesis is three of them. Measured: a thousand take up to 1.4 MB of the 4 MB that a thread has. */
const depthMax = 1_000;

/** Every circle of calls in acorn leads through one of these. */
const recursive = [
  'nextToken',
  'parseStatement',
  'parseMaybeAssign',
  'parseExprOp',
  'parseMaybeUnary',
  'parseExprAtom',
  'parseBindingAtom',
  'regexp_disjunction',
  'regexp_classContents',
];

/** That a script is nested too deeply. */
export class TooDeep extends Error {}

class BoundedParser extends Parser {
  depth = 0;
}

for (const name of recursive) {
  const parse = Reflect.get(Parser.prototype, name) as (...given: unknown[]) => unknown;
  Object.defineProperty(BoundedParser.prototype, name, { value: bounded(parse) });
}

function bounded(parse: (...given: unknown[]) => unknown) {
  return function (this: BoundedParser, ...given: unknown[]): unknown {
    if (this.depth >= depthMax) throw new TooDeep();
    this.depth += 1;
    const parsed = parse.apply(this, given);
    this.depth -= 1;
    return parsed;
  };
}

/** Throws acorn's SyntaxError, or `TooDeep`. */
export function parseTree(text: string, options: Partial<Options> = {}): Node {
  return BoundedParser.parse(text, { ...language, ...options });
}

/** Visits the children of a node, each with the name of the member that it stands in. */
export function visitChildren(node: Node, visit: (child: Node, member: string) => void): void {
  for (const [member, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, member);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
