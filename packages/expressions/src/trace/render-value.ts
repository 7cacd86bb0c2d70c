// Renders a value of an expression for people: as a literal where there is one, and abbreviated where it is large.

import { printable } from '@flaghoist/source-text';
import { absent } from '../compile/compile-attribute.ts';
import type { ObjectReader, TypedReader } from '../input/object-shape.ts';
import { type JavaOptional, renderingOf } from '../methods/value-class.ts';
import { elementOf, isStream, isText, type JavaType, renderType } from '../typing/java-type.ts';

export function renderValue(value: unknown, type: JavaType): string {
  return cut(printable(render(value, type)), lengthMax);
}

const lengthMax = 200;
const textMax = 100;
const elementsShown = 5;

function render(value: unknown, type: JavaType): string {
  if (value === null || value === undefined || value === absent) return 'null';
  if (type.kind === 'object') return `${type.type.name} ${(value as ObjectReader).key}`;
  if (type.kind === 'oneOf') return `${(value as TypedReader).typeName} ${(value as TypedReader).key}`;
  if (isStream(type)) return renderType(type);
  if (isText(type)) return renderText(value as string);
  const name = 'name' in type ? type.name : '';
  if (name === 'Date') return renderDate(Number(value));
  if (name === 'char' || name === 'Character') return `'${String.fromCharCode(value as number)}'`;
  if (name.startsWith('Optional')) return renderOptional(value as JavaOptional, type, name);
  if (type.kind === 'generic') return renderList(value as readonly unknown[], elementOf({ receiver: type }));
  return renderingOf(type)?.(value) ?? renderType(type);
}

function renderText(text: string): string {
  if (text.length <= textMax) return JSON.stringify(text);
  return `${JSON.stringify(cut(text, textMax))} (${text.length} characters)`;
}

function renderDate(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return 'a date out of range';
  return date.toISOString().replace(/(\.000)?Z$/, '');
}

function renderOptional({ value }: JavaOptional, type: JavaType, name: string): string {
  return value === null ? `${name}.empty` : `${name}[${render(value, elementOf({ receiver: type }))}]`;
}

function renderList(elements: readonly unknown[], type: JavaType): string {
  const shown = elements.slice(0, elementsShown).map((element) => render(element, type));
  const more = elements.length > elementsShown ? [`… ${elements.length} in all`] : [];
  return `[${[...shown, ...more].join(', ')}]`;
}

/** Never ends with half of a surrogate pair. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
