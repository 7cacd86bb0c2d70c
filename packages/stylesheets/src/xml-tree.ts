// Reads a parsed document from the memory of the engine. So a check sees what will be executed, not what another parser
// makes of the same text. The offsets are those of the libxml2 structures in 32 bits, which its versions keep.

import type { Engine } from './engine.ts';

export interface TreeElement {
  readonly namespace: string;
  readonly name: string;
  readonly line: number;
  readonly attributes: readonly TreeAttribute[];
  /** The namespace that a prefix is bound to here. */
  namespaceOf(prefix: string): string | undefined;
}

export interface TreeAttribute {
  readonly namespace: string;
  readonly name: string;
  readonly value: string;
}

export interface Instruction {
  readonly name: string;
  readonly line: number;
}

export interface Tree {
  readonly hasDoctype: boolean;
  readonly elements: readonly TreeElement[];
  readonly instructions: readonly Instruction[];
}

const node = { type: 4, name: 8, children: 12, parent: 20, next: 24, namespace: 36, content: 40, line: 56 };
const ofElement = { attributes: 44, namespaces: 48 };
const ofDocument = { doctype: 44 };
const ofNamespace = { next: 0, href: 8, prefix: 12 };
const types = { element: 1, instruction: 7 };

export function readTree(engine: Engine, document: number): Tree {
  const elements: TreeElement[] = [];
  const instructions: Instruction[] = [];
  for (const at of nodesOf(engine, document)) {
    const type = engine.readAddress(at + node.type);
    if (type === types.element) elements.push(readElement(engine, at));
    if (type === types.instruction) instructions.push({ name: nameOf(engine, at), line: lineOf(engine, at) });
  }
  return { hasDoctype: engine.readAddress(document + ofDocument.doctype) !== 0, elements, instructions };
}

/** In document order. Not recursive, because the depth is not limited. */
function* nodesOf(engine: Engine, document: number): Iterable<number> {
  let at = engine.readAddress(document + node.children);
  while (at !== 0 && at !== document) {
    yield at;
    const hasChildren = engine.readAddress(at + node.type) === types.element;
    const child = hasChildren ? engine.readAddress(at + node.children) : 0;
    at = child === 0 ? after(engine, at, document) : child;
  }
}

function after(engine: Engine, start: number, document: number): number {
  let at = start;
  while (at !== document) {
    const next = engine.readAddress(at + node.next);
    if (next !== 0) return next;
    at = engine.readAddress(at + node.parent);
  }
  return document;
}

function readElement(engine: Engine, at: number): TreeElement {
  return {
    namespace: namespaceOf(engine, at),
    name: nameOf(engine, at),
    line: lineOf(engine, at),
    attributes: [...listAt(engine, at + ofElement.attributes, node.next)].map((attribute) => ({
      namespace: namespaceOf(engine, attribute),
      name: nameOf(engine, attribute),
      value: textOf(engine, attribute),
    })),
    namespaceOf: (prefix) => findNamespace(engine, at, prefix),
  };
}

function* listAt(engine: Engine, first: number, next: number): Iterable<number> {
  for (let at = engine.readAddress(first); at !== 0; at = engine.readAddress(at + next)) yield at;
}

function nameOf(engine: Engine, at: number): string {
  return engine.read(engine.readAddress(at + node.name)) ?? '';
}

function lineOf(engine: Engine, at: number): number {
  return engine.readShort(at + node.line);
}

function namespaceOf(engine: Engine, at: number): string {
  const namespace = engine.readAddress(at + node.namespace);
  return namespace === 0 ? '' : (engine.read(engine.readAddress(namespace + ofNamespace.href)) ?? '');
}

function textOf(engine: Engine, attribute: number): string {
  let text = '';
  for (const at of listAt(engine, attribute + node.children, node.next))
    text += engine.read(engine.readAddress(at + node.content)) ?? '';
  return text;
}

function findNamespace(engine: Engine, element: number, prefix: string): string | undefined {
  for (
    let at = element;
    engine.readAddress(at + node.type) === types.element;
    at = engine.readAddress(at + node.parent)
  )
    for (const declared of listAt(engine, at + ofElement.namespaces, ofNamespace.next))
      if ((engine.read(engine.readAddress(declared + ofNamespace.prefix)) ?? '') === prefix)
        return engine.read(engine.readAddress(declared + ofNamespace.href)) ?? '';
  return undefined;
}
