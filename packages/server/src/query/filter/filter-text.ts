// Splits the text of one filter into path, operator and values, each with its offset. Does not know the model.
//
//   filter = path "(" operator ")" operand
//   operand = nothing | value | "(" item *( "," item ) ")"    as the operator has it, see `operators.ts`
//   value  = quoted | anything that does not begin with a quote or "("
//   item   = quoted | anything without "," "(" ")" that does not begin with a quote; spaces around it do not count
//   quoted = DQUOTE *( "\" DQUOTE | "\\" | anything but DQUOTE ) DQUOTE

import { didYouMean, quoteText } from '@flaghoist/source-text';
import type { ErrorAt } from '../attributes/attribute-path.ts';
import { isOperator, type Operator, operatorNames, operators } from './operators.ts';

export interface FilterText {
  path: string;
  operator: Operator;
  operatorAt: number;
  values: WrittenValue[];
}

export interface WrittenValue {
  text: string;
  at: number;
  isQuoted: boolean;
}

export function splitFilter(text: string, errorAt: ErrorAt): FilterText {
  const open = text.indexOf('(');
  if (open < 0) throw errorAt(text.length, `an operator was expected, as in ${example}.`);
  if (open === 0) throw errorAt(0, `the path of an attribute was expected first, as in ${example}.`);
  const close = text.indexOf(')', open);
  if (close < 0) throw errorAt(text.length, `the ")" after the operator is missing.`);
  const operator = text.slice(open + 1, close);
  if (!isOperator(operator)) throw errorAt(open + 1, unknownOperator(operator));
  const reader: Reader = { text, at: close + 1, errorAt };
  return { path: text.slice(0, open), operator, operatorAt: open + 1, values: readOperand(reader, operator) };
}

const example = 'vessel.vesselName(EQ)Northern Light';

interface Reader {
  readonly text: string;
  at: number;
  readonly errorAt: ErrorAt;
}

function unknownOperator(name: string): string {
  const known = operatorNames.join(', ');
  return `unknown operator ${quoteText(name)}; expected one of ${known}.${didYouMean(name, operatorNames)}`;
}

function readOperand(reader: Reader, operator: Operator): WrittenValue[] {
  switch (operators[operator].operand) {
    case 'nothing':
      expectEnd(reader, `${operator} takes no value`);
      return [];
    case 'one':
      return [readOne(reader, operator)];
    case 'list':
      return readList(reader, operator);
    case 'pair': {
      const start = reader.at;
      const values = readList(reader, operator);
      if (values.length === 2) return values;
      throw reader.errorAt(start, `${operator} takes two values, as in (1,10), but here are ${values.length}.`);
    }
  }
}

function readOne(reader: Reader, operator: Operator): WrittenValue {
  const { text, at, errorAt } = reader;
  if (at === text.length) throw errorAt(at, `a value was expected after (${operator}); an empty text is written "".`);
  if (text[at] === '"') {
    const value = readQuoted(reader);
    expectEnd(reader, 'nothing may follow the closing quote');
    return value;
  }
  if (text[at] === '(') throw errorAt(at, `a value that begins with a parenthesis must be in double quotes.`);
  return { text: text.slice(at), at, isQuoted: false };
}

function readList(reader: Reader, operator: Operator): WrittenValue[] {
  if (reader.text[reader.at] !== '(') {
    throw reader.errorAt(reader.at, `${operator} takes values in parentheses, as in (a,b).`);
  }
  const values: WrittenValue[] = [];
  do {
    reader.at++;
    values.push(readItem(reader));
  } while (reader.text[reader.at] === ',');
  if (reader.at === reader.text.length) throw reader.errorAt(reader.at, 'the ")" after the values is missing.');
  if (reader.text[reader.at] !== ')') {
    throw reader.errorAt(reader.at, '"," or ")" was expected; a value with a parenthesis must be in double quotes.');
  }
  reader.at++;
  expectEnd(reader, 'nothing may follow the closing parenthesis');
  return values;
}

function readItem(reader: Reader): WrittenValue {
  skipSpaces(reader);
  if (reader.text[reader.at] === '"') {
    const value = readQuoted(reader);
    skipSpaces(reader);
    return value;
  }
  const at = reader.at;
  const text = match(reader, /[^,()]*/y)![0].trimEnd();
  if (text === '') throw reader.errorAt(at, 'a value was expected here; an empty text is written "".');
  return { text, at, isQuoted: false };
}

function readQuoted(reader: Reader): WrittenValue {
  const { at } = reader;
  const quoted = match(reader, /"((?:[^"\\]|\\["\\]|\\(?!["\\]))*)"/y);
  if (!quoted) throw reader.errorAt(at, 'the text that starts here has no closing quote.');
  return { text: quoted[1]!.replace(/\\(["\\])/g, '$1'), at, isQuoted: true };
}

function skipSpaces(reader: Reader): void {
  match(reader, / */y);
}

/** Reads what the sticky pattern matches at the current position; undefined if nothing does. */
function match(reader: Reader, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text) ?? undefined;
  if (found) reader.at = pattern.lastIndex;
  return found;
}

function expectEnd(reader: Reader, rule: string): void {
  if (reader.at === reader.text.length) return;
  throw reader.errorAt(reader.at, `${rule}, but here is ${quoteText(reader.text.slice(reader.at))}.`);
}
