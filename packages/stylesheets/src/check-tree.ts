// Rejects stylesheets that access anything else, or call extensions of other engines, before anything is executed. The
// engine could not do it either (`engine-imports.ts`). Here the author gets a clear message with the line, when the
// stylesheet is saved.

import { quoteText } from '@flaghoist/source-text';
import type { Mistake } from './engine-error.ts';
import type { Tree, TreeAttribute, TreeElement } from './xml-tree.ts';
import {
  elements,
  expressionAttributes,
  exsltFunctions,
  exsltModules,
  functions,
  isForEngines,
  xmlNamespace,
  xsltNamespace,
} from './xslt-vocabulary.ts';

/** Returns the first mistake, or undefined. */
export function checkTree(tree: Tree): Mistake | undefined {
  if (tree.hasDoctype) return doctypeMistake(undefined);
  const instruction = tree.instructions.find(({ name }) => name === 'xml-stylesheet');
  if (instruction)
    return { message: 'The instruction <?xml-stylesheet?> is not allowed in a stylesheet.', line: instruction.line };
  const own = ownFunctions(tree);
  for (const element of tree.elements) {
    const message = rejectElement(element) ?? rejectAttributes(element, own);
    if (message !== undefined) return { message, line: element.line };
  }
  return undefined;
}

export function doctypeMistake(line: number | undefined): Mistake {
  return { message: 'A DOCTYPE is not allowed in a stylesheet.', line };
}

function rejectElement({ namespace, name }: TreeElement): string | undefined {
  if (namespace === xsltNamespace) return rejectInstruction(name);
  if (namespace === exsltFunctions && (name === 'function' || name === 'result')) return undefined;
  return isForEngines(namespace)
    ? `The element ${quoteText(name)} of ${quoteText(namespace)} is not allowed: it is an extension of an engine.`
    : undefined;
}

function rejectInstruction(name: string): string | undefined {
  if (elements.has(name)) return undefined;
  return name === 'import' || name === 'include'
    ? `xsl:${name} is not allowed: a stylesheet must be self-contained.`
    : `xsl:${name} is not part of XSLT 1.0.`;
}

function rejectAttributes(element: TreeElement, own: ReadonlySet<string>): string | undefined {
  for (const attribute of element.attributes) {
    if (attribute.namespace === xmlNamespace && attribute.name === 'base') return 'xml:base is not allowed.';
    const message = isPrefixList(element, attribute)
      ? rejectExtensions(element, attribute.value)
      : rejectCalls(element, attribute, own);
    if (message !== undefined) return message;
  }
  return undefined;
}

function isPrefixList(element: TreeElement, { namespace, name }: TreeAttribute): boolean {
  const isOfXslt = namespace === xsltNamespace || (namespace === '' && element.namespace === xsltNamespace);
  return isOfXslt && name === 'extension-element-prefixes';
}

function rejectExtensions(element: TreeElement, prefixes: string): string | undefined {
  const isAllowed = (prefix: string) =>
    exsltModules.has(element.namespaceOf(prefix === '#default' ? '' : prefix) ?? '');
  const rejected = prefixes.split(/\s+/).find((prefix) => prefix !== '' && !isAllowed(prefix));
  return rejected === undefined
    ? undefined
    : `The prefix ${quoteText(rejected)} is not allowed in extension-element-prefixes: EXSLT is the only extension.`;
}

function rejectCalls(element: TreeElement, attribute: TreeAttribute, own: ReadonlySet<string>): string | undefined {
  for (const expression of expressionsOf(element, attribute))
    for (const call of callsIn(expression)) {
      const message = rejectCall(element, call, own);
      if (message !== undefined) return message;
    }
  return undefined;
}

function expressionsOf(element: TreeElement, { namespace, name, value }: TreeAttribute): string[] {
  const isInstruction = element.namespace === xsltNamespace || element.namespace === exsltFunctions;
  const isExpression = isInstruction && namespace === '' && expressionAttributes.has(name);
  return isExpression ? [value] : expressionsIn(value);
}

function rejectCall(
  element: TreeElement,
  { prefix, name }: FunctionCall,
  own: ReadonlySet<string>,
): string | undefined {
  if (prefix !== '') return rejectExtension(element.namespaceOf(prefix), `${prefix}:${name}`, name, own);
  if (functions.has(name)) return undefined;
  return name === 'document'
    ? 'document() is not allowed: a stylesheet sees one object and nothing else.'
    : `The function ${quoteText(name)} is not part of XSLT 1.0.`;
}

function rejectExtension(
  namespace: string | undefined,
  shownName: string,
  name: string,
  own: ReadonlySet<string>,
): string | undefined {
  if (namespace === undefined) return `The prefix of ${quoteText(shownName)} is not declared.`;
  if (exsltModules.has(namespace) || own.has(fullName(namespace, name))) return undefined;
  const shown = `${quoteText(shownName)} of ${quoteText(namespace)}`;
  return `The function ${shown} is not available: EXSLT is the only extension.`;
}

/** The functions that the stylesheet defines with `func:function`. */
function ownFunctions({ elements: all }: Tree): ReadonlySet<string> {
  const own = new Set<string>();
  for (const element of all) {
    if (element.namespace !== exsltFunctions || element.name !== 'function') continue;
    const [prefix, name] = (element.attributes.find((attribute) => attribute.name === 'name')?.value ?? '').split(':');
    if (prefix !== undefined && name !== undefined) own.add(fullName(element.namespaceOf(prefix) ?? '', name));
  }
  return own;
}

function fullName(namespace: string, name: string): string {
  return `{${namespace}}${name}`;
}

interface FunctionCall {
  readonly prefix: string;
  readonly name: string;
}

/**
 * The functions that an XPath 1.0 expression calls, found without parsing it: outside of quoted strings, a name before
 * an opening parenthesis is a call. The engine parses the expression properly later.
 */
function callsIn(expression: string): FunctionCall[] {
  const calls: FunctionCall[] = [];
  for (const [, prefix, name] of expression.replace(texts, '""').matchAll(call))
    if (prefix !== undefined || !noFunctions.has(name!)) calls.push({ prefix: prefix ?? '', name: name! });
  return calls;
}

/** The expressions in the braces of an attribute value template; `{{` and `}}` are literal braces. */
function expressionsIn(template: string): string[] {
  return [...template.replaceAll('{{', '').matchAll(braces)].map(([, expression]) => expression!);
}

const texts = /"[^"]*"|'[^']*'/g;
const braces = /\{((?:"[^"]*"|'[^']*'|[^}"'])*)\}?/g;
/** Matches only from the start of a name, so that a long name is scanned once. */
const call =
  /(?<![\p{L}\p{M}\p{N}._\-·])(?:([\p{L}_][\p{L}\p{M}\p{N}._\-·]*):)?([\p{L}_][\p{L}\p{M}\p{N}._\-·]*)\s*\(/gu;

/** Operators and node tests. */
const noFunctions = new Set(['and', 'or', 'div', 'mod', 'node', 'text', 'comment', 'processing-instruction']);
