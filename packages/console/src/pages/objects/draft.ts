// What a person has typed about an object, as text, and what of it is a change.

import type { ObjectReference } from '../../elements/object-link.tsx';
import { nameOf } from '../../elements/object-link.tsx';
import type { ModelAttribute, ModelType } from '../../model/model.ts';
import { parseTyped } from '../../service/exact-json.ts';

/** By attribute. A reference is the key of its object; empty is null. */
export type Draft = Readonly<Record<string, string>>;

const formKinds = new Set(['text', 'decimal', 'integer', 'dateTime', 'boolean', 'code', 'reference', 'textList']);

export function editableAttributes(type: ModelType): ModelAttribute[] {
  return type.attributes.filter(
    ({ kind, isReadOnly, isFixed, isOwner }) => formKinds.has(kind) && !isReadOnly && !isFixed && !isOwner,
  );
}

/** Those of a new object, the required ones first. */
export function newAttributes(type: ModelType): ModelAttribute[] {
  const all = type.attributes.filter(({ kind, isReadOnly }) => formKinds.has(kind) && !isReadOnly);
  return [...all.filter(({ isRequired }) => isRequired), ...all.filter(({ isRequired }) => !isRequired)];
}

/** What was typed, as JSON. What is no number is sent as text, and the service says what is wrong with it. */
export function sentAttributes(attributes: readonly ModelAttribute[], draft: Draft): Record<string, unknown> {
  const typed = attributes.filter(({ name }) => (draft[name] ?? '') !== '');
  return Object.fromEntries(
    typed.map((attribute) => [attribute.name, sentValue(attribute, draft[attribute.name]!) ?? draft[attribute.name]]),
  );
}

/** Whether everything is there that a new object needs. */
export function isComplete(attributes: readonly ModelAttribute[], draft: Draft): boolean {
  return attributes.every(({ name, isRequired }) => !isRequired || (draft[name] ?? '') !== '');
}

export function draftOf(attributes: readonly ModelAttribute[], object: Readonly<Record<string, unknown>>): Draft {
  return Object.fromEntries(attributes.map((attribute) => [attribute.name, textOf(attribute, object[attribute.name])]));
}

function textOf({ kind }: ModelAttribute, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (kind === 'reference') return String((value as ObjectReference).key);
  if (kind === 'textList') return (value as string[]).join(', ');
  return String(value);
}

export interface Changes {
  changes: Record<string, unknown>;
  /** What the page can say without the service. */
  mistakes: Record<string, string>;
}

export function changesOf(
  attributes: readonly ModelAttribute[],
  object: Readonly<Record<string, unknown>>,
  draft: Draft,
): Changes {
  const changes: Record<string, unknown> = {};
  const mistakes: Record<string, string> = {};
  for (const attribute of attributes) {
    const text = draft[attribute.name] ?? '';
    if (text === textOf(attribute, object[attribute.name])) continue;
    const value = sentValue(attribute, text);
    if (value === undefined) mistakes[attribute.name] = 'This is not a number. Write digits, with a point if needed.';
    else changes[attribute.name] = value;
  }
  return { changes, mistakes };
}

/** Undefined: not a value of this kind. */
function sentValue({ kind }: ModelAttribute, text: string): unknown {
  if (text === '') return null;
  if (kind === 'decimal' || kind === 'integer') return parseTyped(text);
  if (kind === 'boolean') return text === 'true';
  if (kind === 'reference') return /^\d+$/.test(text) ? Number(text) : text;
  if (kind === 'textList') return text.split(',').map((each) => each.trim());
  return text;
}

/** For the text of a reference in a form. */
export function referenceName(value: unknown): string {
  return value === null || value === undefined ? '' : nameOf(value as ObjectReference);
}
