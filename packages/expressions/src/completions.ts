// Computes completions for an editor: getters and methods with their types, variables, classes, and the attributes of
// short forms. Works on unfinished text, because editors ask while the author types.

import { type ExpressionTypes, startContext } from './check/check-context.ts';
import { check } from './check/check-java.ts';
import { gettersOf, typeOfAttribute } from './check/getters.ts';
import { lambdasAround, receiverStart } from './complete/receiver.ts';
import type { ObjectShape } from './input/object-shape.ts';
import { renderParameters } from './methods/choose-method.ts';
import { classNames, findClass, methodsOn } from './methods/known-classes.ts';
import type { Method } from './methods/method.ts';
import { ExpressionSyntaxError, MistakeLimitReached } from './syntax/mistake.ts';
import { parseJava } from './syntax/parse-java.ts';
import { type Token, tokenize } from './syntax/token.ts';
import { elementOf, type JavaType, renderType } from './typing/java-type.ts';
import { variables } from './typing/variable.ts';

export interface Completions {
  /** Start of the word that a completion replaces. The word ends at the requested offset. */
  from: number;
  options: Completion[];
}

export interface Completion {
  /** The bare name, such as `getVesselName`. */
  name: string;
  /** The name as it is called, such as `getVesselName()` or `startsWith(String)`. */
  shown: string;
  /** The type, such as `String` or `List<PortCall>`. */
  type: string;
  description: string;
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
  const options = tokens.at(-1)?.text === '.' ? afterDot(tokens.slice(0, -1), types) : atStart(tokens, types);
  return {
    from: isWord ? last.start : offset,
    options: options.filter(({ name }) => name.toLowerCase().startsWith(prefix)),
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

function atStart(tokens: readonly Token[], types: ExpressionTypes): Completion[] {
  const { type } = types;
  const isJava = tokens.some(({ text }) => variables.has(text));
  const objects = [...variables].map(([name, variable]) =>
    option(name, variable === 'new' || variable === 'old' ? type.name : 'Object'),
  );
  const parameters = [...scopeAt(tokens, types)].map(([name, parameterType]) =>
    option(name, renderType(parameterType)),
  );
  const classes = classNames().map((name) => option(name, 'class'));
  return [...parameters, ...objects, ...(isJava ? [] : [...attributesOf(type), option('old', type.name)]), ...classes];
}

function afterDot(before: readonly Token[], types: ExpressionTypes): Completion[] {
  const receiver = before.slice(receiverStart(before));
  const spelled = receiver.map(({ text }) => text).join('');
  const known = findClass(spelled);
  if (known) {
    const constants = [...known.constants].map(([name, constant]) => option(name, renderType(constant.type)));
    return [...known.statics.map((method) => ofMethod(method, { kind: 'null' })), ...constants];
  }
  const javaType = typeOfReceiver(receiver, scopeAt(before, types), types);
  if (javaType) return membersOf(javaType);
  const path = pathType(
    receiver.filter(({ kind }) => kind === 'name').map(({ text }) => text),
    types.type,
  );
  return path ? attributesOf(path) : [];
}

/** The parameters of the lambdas that are open after these tokens. */
function scopeAt(tokens: readonly Token[], types: ExpressionTypes): Map<string, JavaType> {
  const scope = new Map<string, JavaType>();
  for (const { parameter, receiver } of lambdasAround(tokens)) {
    const around = typeOfReceiver(receiver, scope, types);
    if (around) scope.set(parameter, elementOf({ receiver: around }));
  }
  return scope;
}

/** Undefined if the tokens are not Java, or if a mistake makes their type unknown. */
function typeOfReceiver(
  tokens: readonly Token[],
  scope: ReadonlyMap<string, JavaType>,
  types: ExpressionTypes,
): JavaType | undefined {
  const end = tokens.at(-1)?.end ?? 0;
  try {
    const tree = parseJava([...tokens, { kind: 'end', text: '', start: end, end }]);
    const context = startContext('', { ...types, isNullSafe: false, check });
    for (const [name, parameterType] of scope) context.parameters.set(name, { slot: 0, type: parameterType });
    const { type: found } = check(context, tree);
    return found.kind === 'unknown' ? undefined : found;
  } catch (error) {
    if (error instanceof ExpressionSyntaxError || error instanceof MistakeLimitReached) return undefined;
    throw error;
  }
}

function membersOf(type: JavaType): Completion[] {
  const methods = methodsOn(type).map((method) => ofMethod(method, type));
  if (type.kind !== 'object' && type.kind !== 'oneOf')
    return type.kind === 'generic' && type.name === 'Array' ? [option('length', 'int')] : methods;
  const owners = type.kind === 'object' ? [type.type] : type.types;
  const known = new Map(owners.flatMap((owner) => [...gettersOf(owner)]));
  const getters = [...known.values()].map(({ name, attribute }) => ({
    name,
    shown: `${name}()`,
    type: renderType(typeOfAttribute(attribute, [])),
    description: attribute.description,
  }));
  return [...getters, ...methods];
}

function ofMethod(method: Method, receiver: JavaType): Completion {
  const args = method.parameters.map((): JavaType => ({ kind: 'unknown' }));
  const type = renderType(method.returnType({ receiver, args }));
  return { name: method.name, shown: method.name + renderParameters(method, receiver), type, description: '' };
}

/** The object type that a path of a short form leads to. */
function pathType(names: readonly string[], type: ObjectShape): ObjectShape | undefined {
  const [first, ...rest] = names;
  const followed = first === 'old' || first === 'prev' ? rest : names;
  return followed.reduce<ObjectShape | undefined>((reached, name) => {
    const attribute = reached?.attributes.get(name);
    return attribute?.kind === 'reference' ? attribute.target : undefined;
  }, type);
}

function attributesOf(type: ObjectShape): Completion[] {
  return [...type.attributes.values()].map((attribute) => ({
    ...option(attribute.name, renderType(typeOfAttribute(attribute, []))),
    description: attribute.description,
  }));
}

function option(name: string, type: string): Completion {
  return { name, shown: name, type, description: '' };
}
