// Checks calls: getters of objects, methods of values, static methods, constructors, and the lambdas passed to them.
// All are looked up in tables. An unknown name is a mistake, reported with the nearest known name.

import { type ArgumentType, chooseMethod, parameterAt, renderSignatures } from '../methods/choose-method.ts';
import { type JavaClass, methodsOn } from '../methods/known-classes.ts';
import type { Method, Parameter } from '../methods/method.ts';
import type { Tree } from '../syntax/syntax-tree.ts';
import {
  describeType,
  elementOf,
  generic,
  isLooselyCompatible,
  type JavaType,
  nullType,
  renderType,
  unknownType,
} from '../typing/java-type.ts';
import { variables } from '../typing/variable.ts';
import { type CallTree, type CheckContext, isUnknown, reportMistake, typed, unknownAt } from './check-context.ts';
import { checkGetter, shown } from './check-getters.ts';
import type { Checked } from './checked-tree.ts';
import { convertTo } from './convert.ts';
import { type Hint, nearestHint } from './hint.ts';

export function checkCallOn(context: CheckContext, call: CallTree, receiver: Checked): Checked {
  const { name, args } = call;
  const { type } = receiver;
  const getter = checkGetter(context, call, receiver);
  if (getter) return getter;
  if (isUnknown(receiver)) {
    for (const tree of args) if (tree.kind !== 'lambda') context.check(context, tree);
    return unknownAt(name);
  }
  const owner = renderType(type);
  if (type.kind === 'primitive' || type.kind === 'null')
    return reportMistake(context, name, `${owner} has no methods.`);
  return checkMethod(context, call, methodsOn(type), { receiver, owner, kind: 'method' });
}

export function checkStaticCall(context: CheckContext, call: CallTree, { name, statics }: JavaClass): Checked {
  return checkMethod(context, call, statics, { receiver: undefined, owner: name, kind: 'static method' });
}

export function checkNew(context: CheckContext, call: CallTree, owner: JavaClass | undefined): Checked {
  const created = `new ${call.name.text}`;
  if (!owner || owner.constructors.length === 0)
    return reportMistake(context, call.name, `"${created}" is not allowed: only BigDecimal and Date can be created.`);
  return checkArguments(context, call, owner.constructors, { receiver: undefined, title: `new ${owner.name}` });
}

interface Owner {
  readonly receiver: Checked | undefined;
  readonly owner: string;
  readonly kind: 'method' | 'static method';
}

function checkMethod(
  context: CheckContext,
  call: CallTree,
  known: readonly Method[],
  { receiver, owner, kind }: Owner,
): Checked {
  const { text } = call.name;
  const methods = known.filter(({ name }) => name === text);
  if (methods.length > 0) return checkArguments(context, call, methods, { receiver, title: `${owner}.${text}` });
  const names = known.map(({ name }) => name);
  const hint = whyUnsupported(owner, text) ?? nearestHint(text, names);
  return reportMistake(context, call.name, `${owner} has no ${kind} ${shown(call.name)}() here.`, hint);
}

interface Callee {
  readonly receiver: Checked | undefined;
  /** For messages, such as `String.indexOf`. */
  readonly title: string;
}

function checkArguments(context: CheckContext, call: CallTree, methods: readonly Method[], callee: Callee): Checked {
  const receiver = callee.receiver?.type ?? nullType;
  const values = call.args.map((tree) => (tree.kind === 'lambda' ? undefined : context.check(context, tree)));
  const types = values.map((node) => node?.type ?? 'lambda');
  const method = chooseMethod(methods, receiver, types);
  if (!method) {
    const message = `${callee.title} takes ${renderSignatures(methods, receiver)}, but got ${renderTypes(types)}.`;
    return reportMistake(context, call.name, message);
  }
  const args = call.args.map((tree, index) => {
    const parameter = parameterAt(method, index);
    return tree.kind === 'lambda'
      ? checkLambda(context, tree, parameter, receiver)
      : convertArgument(parameter, values[index]!, receiver);
  });
  return bindCall(context, call, callee, method, args);
}

function renderTypes(types: readonly ArgumentType[]): string {
  const rendered = types.slice(0, shownMax).map((type) => (type === 'lambda' ? type : renderType(type)));
  return `(${[...rendered, ...(types.length > shownMax ? ['…'] : [])].join(', ')})`;
}

const shownMax = 6;

function convertArgument(parameter: Parameter, node: Checked, receiver: JavaType): Checked {
  if (parameter.kind === 'value') return convertTo(node, parameter.type);
  return convertTo(node, parameter.kind === 'element' ? elementOf({ receiver }) : nullType);
}

/**
 * A lambda has one parameter, whose type is the element type of the receiver, and an expression. The type of the node
 * is the result type of the lambda.
 */
function checkLambda(
  context: CheckContext,
  { parameter, body, start }: Tree & { kind: 'lambda' },
  wanted: Parameter,
  receiver: JavaType,
): Checked {
  if (context.parameters.has(parameter.text) || variables.has(parameter.text))
    return reportMistake(context, parameter, `"${parameter.text}" is already defined; rename the parameter.`);
  const slot = context.slotCount++;
  const before = context.nodeCount;
  const element = elementOf({ receiver });
  context.parameters.set(parameter.text, { slot, type: element });
  const result = context.check(context, body);
  context.parameters.delete(parameter.text);
  const weight = context.nodeCount - before;
  const to = wanted.kind === 'lambda' ? wanted.returns : 'anything';
  if (to === 'anything') return typed(result.type, start, { kind: 'lambda', slot, element, body: result, weight });
  if (!isUnknown(result) && !isLooselyCompatible(result.type, to)) {
    const message = `The lambda returns ${describeType(result.type)}, but ${describeType(to)} is expected.`;
    return reportMistake(context, body, message);
  }
  return typed(to, start, { kind: 'lambda', slot, element, body: convertTo(result, to), weight });
}

function bindCall(
  context: CheckContext,
  { name }: CallTree,
  { receiver, title }: Callee,
  method: Method,
  args: readonly Checked[],
): Checked {
  const types = { receiver: receiver?.type ?? nullType, args: args.map(({ type }) => type) };
  const problem = method.checkTypes(types);
  if (problem !== undefined && !args.some(isUnknown)) {
    const found = types.args.length > 0 ? `, but got ${types.args.map(describeType).join(' and ')}` : '';
    return reportMistake(context, name, `${title} ${problem}${found}.`);
  }
  const wrong = method.checkConstants(args.map((node) => (node.kind === 'constant' ? node.value : undefined)));
  if (wrong !== undefined) return reportMistake(context, name, wrong);
  const returned = method.returnType(types);
  if (args.some(isUnknown)) {
    // The result type is known even if an argument is unknown, unless the result depends on the argument.
    const isOpen = returned.kind === 'generic' && returned.of.kind === 'unknown';
    return { ...unknownAt(name), type: isOpen ? unknownType : returned };
  }
  const bound = { name: method.name, run: method.bind(types), isRequired: method.isRequired };
  const passed = method.isVariadic ? packVariadic(method, args, name.start) : args;
  return typed(returned, name.start, { kind: 'call', receiver, method: bound, args: passed });
}

function packVariadic(method: Method, args: readonly Checked[], at: number): Checked[] {
  const fixed = method.parameters.length - 1;
  const elements = args.slice(fixed);
  return [...args.slice(0, fixed), typed(generic('List', nullType), at, { kind: 'list', elements })];
}

/** Undefined if the method is not listed here. */
function whyUnsupported(owner: string, method: string): Hint | undefined {
  const name = owner.replace(/<.*/, '');
  const reason = unsupported.find(([known, methods]) => known === name && methods.split(' ').includes(method))?.[2];
  return reason === undefined ? undefined : { sentence: ` ${reason}` };
}

const unchanging = 'A filter changes nothing.';

/** Java methods that expressions do not support, where a hint with the nearest name would not help. */
const unsupported: readonly (readonly [owner: string, methods: string, reason: string])[] = [
  [
    'Date',
    'toString getYear getMonth getDate getDay getHours getMinutes getSeconds',
    'It depends on the time zone of a computer: use before, after or getTime().',
  ],
  ['Date', 'setTime', unchanging],
  ['List', 'add remove clear set sort forEach', unchanging],
  ['List', 'iterator listIterator', 'Go through it with stream().'],
  ['Stream', 'forEach peek', unchanging],
  ['Stream', 'collect', 'Use toList() to get a list.'],
  ['Stream', 'reduce', 'Use mapToDouble, mapToInt or mapToLong, and then sum().'],
  ['Stream', 'max min', 'Use mapToDouble, mapToInt or mapToLong, and then max() or min().'],
  ['String', 'format formatted', 'Join texts with "+".'],
  ['String', 'chars codePoints toCharArray', 'Use charAt, or matches with a pattern.'],
];
