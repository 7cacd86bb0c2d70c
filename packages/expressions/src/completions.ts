// Computes completions for an editor: getters and methods with their types, variables, classes, the attributes of short
// forms, operators, and values. Works on unfinished text, because editors ask while the author types.

import type { ExpressionTypes } from './check/check-context.ts';
import { gettersOf, typeOfAttribute } from './check/getters.ts';
import { comparedValues } from './complete/compared-values.ts';
import {
  attributeCompletion,
  type Completion,
  getterCompletion,
  methodCompletion,
  valueCompletion,
} from './complete/completion.ts';
import { checkOperand, isJava, lastOperand, pathObject, scopeAt } from './complete/operand.ts';
import { endsWithValue, operatorsAfter } from './complete/operators.ts';
import type { ObjectShape } from './input/object-shape.ts';
import { classNames, findClass, methodsOn } from './methods/known-classes.ts';
import { ExpressionSyntaxError } from './syntax/mistake.ts';
import { type Token, tokenize } from './syntax/token.ts';
import { type JavaType, renderType } from './typing/java-type.ts';
import { variables } from './typing/variable.ts';

export type { Completion };

export interface Completions {
  /** Start of the word that a completion replaces. The word ends at the requested offset. */
  from: number;
  options: Completion[];
}

/** `hierarchy`: as for `compileExpression`. */
export function completionsAt(
  text: string,
  offset: number,
  type: ObjectShape,
  hierarchy: readonly ObjectShape[] = [type],
): Completions {
  const types = { type, hierarchy };
  const tokens = tokensBefore(text, offset);
  if (tokens === undefined) return { from: offset, options: [] };
  const last = tokens.at(-1);
  const isTouching = last?.end === offset;
  if (isTouching && last.kind !== 'name' && last.kind !== 'symbol') return { from: offset, options: [] };
  const isWord = isTouching && last.kind === 'name';
  const prefix = isWord ? tokens.pop()!.text.toLowerCase() : '';
  return {
    from: isWord ? last.start : offset,
    options: optionsAfter(tokens, types).filter(({ name }) => name.toLowerCase().startsWith(prefix)),
  };
}

/** Undefined inside a string or a block comment, and if the text cannot be tokenized. */
function tokensBefore(text: string, offset: number): Token[] | undefined {
  try {
    return tokenize(text.slice(0, Math.min(offset, lengthMax))).slice(0, -1);
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return undefined;
    throw error;
  }
}

const lengthMax = 8192;

function optionsAfter(tokens: readonly Token[], types: ExpressionTypes): Completion[] {
  const last = tokens.at(-1);
  // At the beginning, a dot comes before an attribute of a short form.
  if (last?.kind === 'symbol' && last.text === '.') return afterDot(tokens.slice(0, -1), types);
  if (endsWithValue(tokens)) return operatorsAfter(tokens, types);
  const values = comparedValues(tokens, types);
  return last?.text === 'instanceof' ? values : [...values, ...atStart(tokens, types)];
}

function atStart(tokens: readonly Token[], types: ExpressionTypes): Completion[] {
  const { type } = types;
  const objects = [...variables].map(([name, variable]) =>
    valueCompletion(name, variable === 'new' || variable === 'old' ? type.name : 'Object'),
  );
  const parameters = [...scopeAt(tokens, types)].map(([name, parameterType]) =>
    valueCompletion(name, renderType(parameterType)),
  );
  const classes = classNames().map((name) => valueCompletion(name, 'class'));
  const attributes = isJava(tokens) ? [] : [...attributesOf(type), valueCompletion('old', type.name)];
  return [...parameters, ...objects, ...attributes, ...classes];
}

function afterDot(before: readonly Token[], types: ExpressionTypes): Completion[] {
  const receiver = lastOperand(before);
  const spelled = receiver.map(({ text }) => text).join('');
  const known = findClass(spelled);
  if (known) {
    const constants = [...known.constants].map(([name, constant]) => valueCompletion(name, renderType(constant.type)));
    return [...known.statics.map((method) => methodCompletion(method, { kind: 'null' })), ...constants];
  }
  const checked = checkOperand(receiver, scopeAt(before, types), types);
  if (checked) return membersOf(checked.type);
  const object = pathObject(receiver, types.type);
  return object ? attributesOf(object) : [];
}

function membersOf(type: JavaType): Completion[] {
  const methods = methodsOn(type).map((method) => methodCompletion(method, type));
  if (type.kind !== 'object' && type.kind !== 'oneOf')
    return type.kind === 'generic' && type.name === 'Array' ? [valueCompletion('length', 'int')] : methods;
  const owners = type.kind === 'object' ? [type.type] : type.types;
  const known = new Map(owners.flatMap((owner) => [...gettersOf(owner)]));
  const getters = [...known.values()].map(({ name, attribute }) =>
    getterCompletion(name, typeOfAttribute(attribute, []), attribute.description),
  );
  return [...getters, ...methods];
}

function attributesOf(type: ObjectShape): Completion[] {
  return [...type.attributes.values()].map((attribute) =>
    attributeCompletion(attribute.name, typeOfAttribute(attribute, []), attribute.description),
  );
}
