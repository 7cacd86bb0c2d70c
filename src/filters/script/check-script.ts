// Looks for what keeps a script from being compiled, and tells it with its place. Runs in a thread: text of others can
// keep a parser busy.

import type { Node } from 'acorn';
import { placeInText } from '../../json/place-in-text.ts';
import { placeInBody, sourceOf } from './script-source.ts';
import { parseTree, TooDeep, visitChildren } from './syntax-tree.ts';

export interface ScriptMistake {
  readonly message: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

const scriptLengthMax = 262_144;

/** Undefined where there is nothing to say against it. */
export function checkScript(body: string): ScriptMistake | undefined {
  if (body.length > scriptLengthMax)
    return mistake(`The script is longer than ${scriptLengthMax} characters.`, undefined);
  const source = sourceOf(body);
  try {
    return checkTree(parseTree(source), source);
  } catch (error) {
    if (error instanceof SyntaxError && 'pos' in error)
      return mistakeAt(source, error.pos as number, wordingOf(error.message, source.slice(0, error.pos as number)));
    // A chain of members or calls is parsed in a loop, and its tree walked over in a recursion without any regular expression.
    if (error instanceof TooDeep || error instanceof RangeError)
      return mistake('The script is nested too deeply.', undefined);
    throw error;
  }
}

function checkTree(tree: Node, source: string): ScriptMistake | undefined {
  const whole = onlyChild(onlyChild(tree));
  // The function that the body was put into must reach to the end, or the body has closed it.
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

/** The first one in the order of the text. */
function find(node: Node, type: string): Node | undefined {
  if (node.type === type) return node;
  let found: Node | undefined;
  visitChildren(node, (child) => {
    found ??= find(child, type);
  });
  return found;
}

/** Acorn ends its messages with the place, as it counts. */
function wordingOf(message: string, before: string): string {
  const told = message.replace(/ \(\d+:\d+\)$/, '');
  if (told.startsWith("'import' and 'export'")) return 'A script is not a module: import and export cannot be used.';
  if (/\bawait\s+$/.test(before)) return 'await can only be used in an async function.';
  if (/\busing\s+$/.test(before)) return 'using is not known.';
  return told.endsWith('.') ? told : `${told}.`;
}

function mistakeAt(source: string, offset: number, message: string): ScriptMistake {
  return mistake(message, placeInBody(placeInText(source, offset)));
}

function mistake(message: string, place: { line: number; column: number } | undefined): ScriptMistake {
  return { message, line: place?.line, column: place?.column };
}
