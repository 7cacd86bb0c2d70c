// Checks whether a script compiles, and reports the first mistake with its position. Runs in a sandbox thread, because
// untrusted text can keep a parser busy.

import { placeInText } from '@flaghoist/source-text';
import type { Node } from 'acorn';
import { placeInBody, sourceOf } from './script-source.ts';
import { parseTree, TooDeep, visitChildren } from './syntax-tree.ts';

export interface ScriptMistake {
  readonly message: string;
  /** Line and column count from 1. */
  readonly line: number | undefined;
  readonly column: number | undefined;
}

const scriptLengthMax = 262_144;

/** Returns undefined if there is no mistake. */
export function checkScript(body: string): ScriptMistake | undefined {
  if (body.length > scriptLengthMax)
    return mistake(`The script is longer than ${scriptLengthMax} characters.`, undefined);
  const source = sourceOf(body);
  try {
    return checkTree(parseTree(source), source);
  } catch (error) {
    if (error instanceof SyntaxError && 'pos' in error)
      return mistakeAt(source, error.pos as number, wordingOf(error.message, source.slice(0, error.pos as number)));
    // Acorn parses a chain of members or calls in a loop, so its depth is not limited. The recursive walk over the tree
    // may overflow the stack. That is safe, because the walk compiles no regular expression.
    if (error instanceof TooDeep || error instanceof RangeError)
      return mistake('The script is nested too deeply.', undefined);
    throw error;
  }
}

function checkTree(tree: Node, source: string): ScriptMistake | undefined {
  const whole = onlyChild(onlyChild(tree));
  // The wrapping function must extend to the end of the source. If it ends earlier, the body has closed it.
  if (whole?.type !== 'FunctionExpression') return mistakeAt(source, firstFunctionEnd(tree) - 1, 'Unexpected token.');
  if (whole.end !== source.length - 1) return mistakeAt(source, whole.end - 1, 'Unexpected token.');
  const imported = find(whole, 'ImportExpression');
  return imported ? mistakeAt(source, imported.start, 'Modules cannot be imported.') : undefined;
}

function onlyChild(node: Node | undefined): Node | undefined {
  const children: Node[] = [];
  if (node) visitChildren(node, (child) => children.push(child));
  return children.length === 1 ? children[0] : undefined;
}

function firstFunctionEnd(tree: Node): number {
  return find(tree, 'FunctionExpression')?.end ?? 1;
}

/** The first node of a type, in source order. */
function find(node: Node, type: string): Node | undefined {
  if (node.type === type) return node;
  let found: Node | undefined;
  visitChildren(node, (child) => {
    found ??= find(child, type);
  });
  return found;
}

/** Removes the position that acorn appends to its messages: it is not a position in the body. */
function wordingOf(message: string, before: string): string {
  const text = message.replace(/ \(\d+:\d+\)$/, '');
  if (text.startsWith("'import' and 'export'")) return 'A script is not a module: import and export cannot be used.';
  if (/\bawait\s+$/.test(before)) return 'await can only be used in an async function.';
  if (/\busing\s+$/.test(before)) return 'using is not supported.';
  return text.endsWith('.') ? text : `${text}.`;
}

function mistakeAt(source: string, offset: number, message: string): ScriptMistake {
  return mistake(message, placeInBody(placeInText(source, offset)));
}

function mistake(message: string, place: { line: number; column: number } | undefined): ScriptMistake {
  return { message, line: place?.line, column: place?.column };
}
