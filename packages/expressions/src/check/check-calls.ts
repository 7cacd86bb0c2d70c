// Checks calls: getters of objects, methods of values, static methods, constructors, and the lambdas passed to them.
// All are looked up in tables. An unknown name is a mistake, reported with the nearest known name.

import { didYouMean, quoteText } from '@flaghoist/source-text';
import type { ObjectShape } from '../input/object-shape.ts';
import { type ArgumentType, chooseMethod, renderSignatures } from '../methods/choose-method.ts';
import { elementOf } from '../methods/element-type.ts';
import { type JavaClass, methodsOn } from '../methods/known-classes.ts';
import type { Method, Parameter } from '../methods/method.ts';
import type { Span } from '../syntax/mistake.ts';
import type { Name, Tree } from '../syntax/syntax-tree.ts';
import { describeType, generic, type JavaType, nullType, renderType, unknownType } from '../typing/java-type.ts';
import { refuseStep } from '../typing/read-place.ts';
import { type CheckContext, isUnknown, reportMistake, typed, unknownAt } from './check-context.ts';
import { checkLambda } from './check-lambda.ts';
import type { Checked } from './checked-tree.ts';
import { asArgument } from './convert.ts';
import { gettersOf, typeOfAttribute } from './getters.ts';
import { whyUnsupported } from './unsupported-methods.ts';

export interface CallTree extends Span {
  readonly name: Name;
  readonly args: readonly Tree[];
}

export function checkCallOn(context: CheckContext, call: CallTree, receiver: Checked): Checked {
  const { name, args } = call;
  const { type } = receiver;
  if (type.kind === 'object') {
    const getter = gettersOf(type.type).get(name.text);
    if (getter && args.length === 0) return checkAttribute(context, name, receiver, getter.attribute);
    if (name.text !== 'equals') return refuseGetter(context, call, type);
  }
  if (isUnknown(receiver)) {
    for (const tree of args) if (tree.kind !== 'lambda') context.check(context, tree);
    return unknownAt(name);
  }
  if (type.kind === 'primitive' || type.kind === 'null')
    return reportMistake(context, name, `${renderType(type)} has no methods.`);
  const methods = methodsOn(type).filter((method) => method.name === name.text);
  if (methods.length > 0) return checkArguments(context, call, methods, { receiver, owner: renderType(type) });
  const known = methodsOn(type).map((method) => method.name);
  const hint = whyUnsupported(renderType(type), name.text) || didYouMean(name.text, known);
  return reportMistake(context, name, `${renderType(type)} has no method ${shown(name)}() here.${hint}`);
}

export function checkStaticCall(context: CheckContext, call: CallTree, owner: JavaClass): Checked {
  const methods = owner.statics.filter(({ name }) => name === call.name.text);
  if (methods.length > 0) return checkArguments(context, call, methods, { receiver: undefined, owner: owner.name });
  const known = owner.statics.map(({ name }) => name);
  const hint = whyUnsupported(owner.name, call.name.text) || didYouMean(call.name.text, known);
  return reportMistake(context, call.name, `${owner.name} has no static method ${shown(call.name)}() here.${hint}`);
}

export function checkNew(context: CheckContext, call: CallTree, owner: JavaClass | undefined): Checked {
  if (!owner || owner.constructors.length === 0) {
    return reportMistake(
      context,
      call.name,
      `"new ${call.name.text}" is not allowed: only BigDecimal and Date can be created.`,
    );
  }
  return checkArguments(context, call, owner.constructors, { receiver: undefined, owner: `new ${owner.name}` });
}

/** Reads an attribute of an object. In a short form (`isNullSafe`) the object may be null. */
export function checkAttribute(
  context: CheckContext,
  name: Span,
  object: Checked,
  attribute: Parameters<typeof typeOfAttribute>[0],
  isNullSafe = false,
): Checked {
  const { places } = object.type as JavaType & { kind: 'object' };
  const refusal = places.map((place) => refuseStep(place, attribute)).find((reason) => reason !== undefined);
  if (refusal !== undefined) return reportMistake(context, name, refusal);
  return typed(typeOfAttribute(attribute, places), name.start, { kind: 'attribute', object, attribute, isNullSafe });
}

function refuseGetter(
  context: CheckContext,
  { name, args }: CallTree,
  { type }: JavaType & { kind: 'object' },
): Checked {
  const getters = gettersOf(type);
  const attribute = attributeName(name.text);
  if (getters.has(name.text)) return reportMistake(context, args[0]!, `The getter ${name.text}() takes no arguments.`);
  const known = type.attributes.get(attribute);
  if (known?.kind === 'binary' || known?.kind === 'json')
    return reportMistake(
      context,
      name,
      `"${attribute}" cannot be read in an expression: it is ${known.kind === 'json' ? 'JSON' : 'a file'}.`,
    );
  if (/^set[A-Z]/.test(name.text))
    return reportMistake(context, name, 'A filter changes nothing, so there are no setters.');
  return reportMistake(context, name, `${type.name} has no getter ${shown(name)}().${getterHint(name.text, type)}`);
}

/** Tries the getters, then the attributes: authors leave out the part that repeats the type (`getName` of a vessel). */
function getterHint(name: string, type: ObjectShape): string {
  const hint = didYouMean(name, gettersOf(type).keys());
  if (hint !== '') return hint;
  const meant = didYouMean(attributeName(name), type.attributes.keys());
  return meant.replace(/"(.)/, (_, first: string) => `"get${first.toUpperCase()}`);
}

/** The attribute `vesselName` for the getter `getVesselName`. */
function attributeName(getter: string): string {
  const rest = getter.replace(/^get(?=[A-Z])/, '');
  return rest.charAt(0).toLowerCase() + rest.slice(1);
}

/** Shortened, and without invisible characters, which could disturb a terminal. */
function shown({ text }: Name): string {
  return quoteText(text).slice(1, -1);
}

interface Callee {
  readonly receiver: Checked | undefined;
  readonly owner: string;
}

function checkArguments(
  context: CheckContext,
  call: CallTree,
  methods: readonly Method[],
  { receiver, owner }: Callee,
): Checked {
  const receiverType = receiver?.type ?? nullType;
  const values = call.args.map((tree) => (tree.kind === 'lambda' ? undefined : context.check(context, tree)));
  const types = values.map((node) => node?.type ?? 'lambda');
  const method = chooseMethod(methods, receiverType, types);
  const title = owner.startsWith('new ') ? owner : `${owner}.${call.name.text}`;
  if (!method) {
    const message = `${title} takes ${renderSignatures(methods, receiverType)}, but got ${renderTypes(types)}.`;
    return reportMistake(context, call.name, message);
  }
  const args = call.args.map((tree, index) => {
    const parameter = method.parameters[Math.min(index, method.parameters.length - 1)]!;
    return tree.kind === 'lambda'
      ? checkLambda(context, tree, parameter, receiverType)
      : convertArgument(parameter, values[index]!, receiverType);
  });
  return bindCall(context, call, { method, receiver, title, args });
}

function renderTypes(types: readonly ArgumentType[]): string {
  const shown = types.slice(0, shownMax).map((type) => (type === 'lambda' ? type : renderType(type)));
  return `(${[...shown, ...(types.length > shownMax ? ['…'] : [])].join(', ')})`;
}

const shownMax = 6;

function convertArgument(parameter: Parameter, node: Checked, receiver: JavaType): Checked {
  if (parameter.kind === 'value') return asArgument(node, parameter.type);
  return asArgument(node, parameter.kind === 'element' ? elementOf({ receiver }) : nullType);
}

interface Binding {
  readonly method: Method;
  readonly receiver: Checked | undefined;
  readonly title: string;
  readonly args: readonly Checked[];
}

function bindCall(context: CheckContext, { name }: CallTree, { method, receiver, title, args }: Binding): Checked {
  const types = { receiver: receiver?.type ?? nullType, args: args.map(({ type }) => type) };
  const refusal = method.checkTypes(types);
  if (refusal !== undefined && !args.some(isUnknown)) {
    const found = types.args.length > 0 ? `, but got ${types.args.map(describeType).join(' and ')}` : '';
    return reportMistake(context, name, `${title} ${refusal}${found}.`);
  }
  const wrong = method.checkConstants(args.map((node) => (node.kind === 'constant' ? node.value : undefined)));
  if (wrong !== undefined) return reportMistake(context, name, wrong);
  if (args.some(isUnknown)) return { ...unknownAt(name), type: known(method.returnType(types)) };
  const bound = { name: method.name, run: method.bind(types), isRequired: method.isRequired };
  return typed(method.returnType(types), name.start, {
    kind: 'call',
    receiver,
    method: bound,
    args: method.isVariadic ? packVariadic(method, args, name.start) : args,
  });
}

/** The result type is known even if an argument is unknown, unless the result depends on the argument. */
function known(type: JavaType): JavaType {
  return type.kind === 'generic' && type.of.kind === 'unknown' ? unknownType : type;
}

function packVariadic(method: Method, args: readonly Checked[], at: number): Checked[] {
  const fixed = method.parameters.length - 1;
  const elements = args.slice(fixed);
  return [...args.slice(0, fixed), typed(generic('List', nullType), at, { kind: 'list', elements })];
}
