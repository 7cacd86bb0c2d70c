// Parses a script with acorn, and walks its syntax tree. Nesting is limited, so that the parser stays far from the end
// of the stack. If the stack overflows while V8 compiles a regular expression, V8 aborts the whole process.

import { type Node, type Options, Parser } from 'acorn';

/** ES2025 excludes `using`, which is not finished. */
const language: Options = { ecmaVersion: 2025, sourceType: 'script' };

/**
 * Limits nested calls of the `recursive` methods; a parenthesis takes three. Measured: a thousand calls use up to
 * 1.4 MB of the 4 MB stack of a thread.
 */
const depthMax = 1_000;

/** Every recursion in acorn passes through one of these methods. */
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

/** Thrown if a script is nested too deeply. */
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

/** Visits the children of a node, each with the name of the member that contains it. */
export function visitChildren(node: Node, visit: (child: Node, member: string) => void): void {
  for (const [member, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, member);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
