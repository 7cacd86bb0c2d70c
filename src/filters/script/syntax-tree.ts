// The tree of a script, as acorn parses it, and a walk over it.

import { type Node, type Options, parse } from 'acorn';

/** Without `using`, which is not finished. */
const language: Options = { ecmaVersion: 2025, sourceType: 'script' };

/** Throws acorn's SyntaxError. */
export function parseTree(text: string, options: Partial<Options> = {}): Node {
  return parse(text, { ...language, ...options });
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
