// Names what decided the value of an expression, in one line: the condition, and the values that it depends on.

import { printable } from '@flaghoist/source-text';
import { isStream } from '../typing/java-type.ts';
import { type PlacedPart, partsIn, resultOf } from './parts.ts';
import { cut, renderValue } from './render-value.ts';

/** For example `eta > old.eta with eta = 2026-05-03T10:00:00 and old.eta = 2026-05-03T12:00:00`. */
export function nameDecision(text: string, decisive: readonly PlacedPart[]): string {
  const shown = decisive.slice(0, shownMax).map((placed) => nameOne(text, placed));
  const more = decisive.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

const shownMax = 3;
const textMax = 120;
const valueMax = 80;

function nameOne(text: string, placed: PlacedPart): string {
  const { call } = placed;
  const element = call ? ` for ${renderValue(call.element, call.of.element)}` : '';
  const name = textOf(text, placed);
  if (isRead(placed) && resultOf(placed)?.kind === 'value') return `${name} = ${shownValue(placed)}${element}`;
  const values = valuesOf(placed).slice(0, shownMax);
  const given = values.map((each) => `${textOf(text, each)} = ${shownValue(each)}`).join(' and ');
  return `${name}${element}${given === '' ? '' : ` with ${given}`}`;
}

/** The parts whose values a reader wants to see. Those of a stream are the values that it comes from. */
function valuesOf(placed: PlacedPart): PlacedPart[] {
  const seen = new Set<string>();
  return operandsOf(placed).filter(({ part: { source } }) => {
    const name = `${source.start} ${source.end}`;
    return !seen.has(name) && seen.add(name);
  });
}

function operandsOf(placed: PlacedPart): PlacedPart[] {
  return partsIn(placed).flatMap((each) => {
    if (each.call || resultOf(each)?.kind !== 'value') return [];
    return isStream(each.part.source.type) || placed.part.kind === 'not' ? operandsOf(each) : [each];
  });
}

/** Whether the part only reads a value, and depends on no others. */
function isRead({ part: { kind } }: PlacedPart): boolean {
  return kind === 'attribute' || kind === 'variable' || kind === 'parameter';
}

function textOf(text: string, { part: { source } }: PlacedPart): string {
  return cut(printable(text.slice(source.start, source.end).replace(/\s+/g, ' ')), textMax);
}

function shownValue(placed: PlacedPart): string {
  const result = resultOf(placed);
  return result?.kind === 'value' ? cut(renderValue(result.value, placed.part.source.type), valueMax) : '?';
}
