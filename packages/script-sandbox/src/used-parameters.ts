// Finds the parameters that a script reads, from its syntax tree. If the list may be incomplete, `isOpen` is true.

import type { Node } from 'acorn';
import { parseTree, visitChildren } from './syntax-tree.ts';

export interface UsedParameters {
  readonly names: readonly string[];
  /** The script may read other parameters, too: it computes a name, or passes `parameters` on as a whole. */
  readonly isOpen: boolean;
}

export function usedParameters(body: string): UsedParameters {
  const names = new Set<string>();
  try {
    const isOpen = readsOthers(parseTree(body, { allowReturnOutsideFunction: true }), names);
    return { names: [...names], isOpen };
  } catch {
    return { names: [], isOpen: true };
  }
}

/** Collects the names read below a node. Returns whether `parameters` is also used without a known name. */
function readsOthers(node: Node, names: Set<string>): boolean {
  const found = namesReadBy(node as Shape);
  if (found) {
    for (const name of found.names) names.add(name);
    return found.rest.map((part) => readsOthers(part, names)).includes(true);
  }
  let isOpen = isParameters(node as Shape) || (node as Shape).name === 'arguments';
  visitChildren(node, (child, member) => {
    if (!isPlainName(node as Shape, member)) isOpen = readsOthers(child, names) || isOpen;
  });
  return isOpen;
}

/** The members of acorn's nodes that are used here. */
interface Shape extends Node {
  readonly name?: unknown;
  readonly value?: unknown;
  readonly computed?: boolean;
  readonly shorthand?: boolean;
  readonly object?: Shape;
  readonly property?: Shape;
  readonly key?: Shape;
  readonly id?: Shape;
  readonly init?: Shape | null;
  readonly left?: Shape;
  readonly right?: Shape;
  readonly operator?: string;
  readonly properties?: readonly Shape[];
}

/** The names that a node reads, and its parts that remain to be visited. Undefined if not all names are known. */
function namesReadBy(node: Shape): { names: string[]; rest: Node[] } | undefined {
  if (node.type === 'MemberExpression' && isParameters(node.object)) {
    const name = nameOf(node.property!, node.computed!);
    return name === undefined ? undefined : { names: [name], rest: [] };
  }
  if (node.type === 'VariableDeclarator' && isParameters(node.init)) return namesOfPattern(node.id!);
  if (node.type === 'AssignmentExpression' && node.operator === '=' && isParameters(node.right))
    return namesOfPattern(node.left!);
  return undefined;
}

function namesOfPattern(pattern: Shape): { names: string[]; rest: Node[] } | undefined {
  if (pattern.type !== 'ObjectPattern') return undefined;
  const names: string[] = [];
  const rest: Node[] = [];
  for (const property of pattern.properties!) {
    const name = property.type === 'Property' ? nameOf(property.key!, property.computed!) : undefined;
    if (name === undefined) return undefined;
    names.push(name);
    rest.push(property.value as Node);
  }
  return { names, rest };
}

/** The name of a member or key: `x`, or `'x'` in brackets or quotes. */
function nameOf(key: Shape, isComputed: boolean): string | undefined {
  if (key.type === 'Literal' && (typeof key.value === 'string' || typeof key.value === 'number'))
    return String(key.value);
  return !isComputed && key.type === 'Identifier' ? String(key.name) : undefined;
}

function isParameters(node: Shape | null | undefined): boolean {
  return node?.type === 'Identifier' && node.name === 'parameters';
}

/** `a.parameters` and `{ parameters: 1 }` do not read the variable. Nor does a label, which is too rare to handle. */
function isPlainName(node: Shape, member: string): boolean {
  if (node.computed) return false;
  if (node.type === 'MemberExpression') return member === 'property';
  const hasKey = ['Property', 'PropertyDefinition', 'MethodDefinition'].includes(node.type);
  return hasKey && member === 'key' && !node.shorthand;
}
