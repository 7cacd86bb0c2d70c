// Compiles a checked tree to closures, once; evaluating an expression calls them. The checker has resolved all types,
// so they are not checked again.

import type { Checked } from '../check/checked-tree.ts';
import type { ObjectReader } from '../input/object-reader.ts';
import { equalityOf } from '../methods/equality.ts';
import { changeOf } from '../run/change-number.ts';
import { JavaFailure } from '../run/java-failure.ts';
import { renderingOf } from '../run/java-text.ts';
import type { Long } from '../run/long-arithmetic.ts';
import { boundText, spend, spendText } from '../run/meter.ts';
import type { JavaType } from '../typing/java-type.ts';
import { compileArithmetic, compileNegation } from './compile-arithmetic.ts';
import { compileAttribute, compileOwnAttribute } from './compile-attribute.ts';
import { compileCall } from './compile-call.ts';
import { compileComparison } from './compile-comparison.ts';
import { compileCondition, ownAttribute } from './compile-condition.ts';
import { nullFailure, type Operand, type Run } from './frame.ts';

/** `V` is the type of the value that the closure returns. The cast is safe: the checker has checked the type. */
export function compileAs<V>(node: Checked): Run<V> {
  return compile(node) as Run<V>;
}

function compile(node: Checked): Run {
  return compileCondition(node) ?? compileNode(node);
}

function compileNode(node: Checked): Run {
  switch (node.kind) {
    case 'invalid':
      throw new Error('An expression with mistakes is not compiled.');
    case 'constant': {
      const { value } = node;
      return () => value;
    }
    case 'variable':
      return node.variable === 'new' ? (frame) => frame.svcObject : (frame) => frame.oldSvcObject;
    case 'parameter': {
      const { slot } = node;
      return (frame) => frame.parameters[slot];
    }
    case 'attribute':
      return compileGetter(node);
    case 'convert':
      return compileConversion(node);
    case 'not': {
      const operand = compileAs<boolean>(node.operand);
      return (frame) => !operand(frame);
    }
    case 'negate':
      return compileNegation(node.as, operandOf<Long>(node.operand), node.isNullSafe);
    case 'arithmetic':
      return compileArithmetic(node.operator, node.as, operandOf(node.left), operandOf(node.right), node);
    case 'compare':
      return compileComparison(node.operator, operandOf(node.left), operandOf(node.right), node.isNullSafe);
    case 'same':
      return compileSame(node);
    case 'isNull': {
      const operand = compile(node.operand);
      return node.isNegated ? (frame) => operand(frame) !== null : (frame) => operand(frame) === null;
    }
    case 'all':
      return compileAll(node.conditions.map(compileAs<boolean>));
    case 'any':
      return compileAny(node.conditions.map(compileAs<boolean>));
    case 'choice': {
      const [condition, yes, no] = [compileAs<boolean>(node.condition), compile(node.yes), compile(node.no)];
      return (frame) => (condition(frame) ? yes(frame) : no(frame));
    }
    case 'concat':
      return compileConcat(node.parts);
    case 'list': {
      const elements = node.elements.map(compile);
      return (frame) => elements.map((element) => element(frame));
    }
    case 'length': {
      const array = compileArray(node.array);
      return (frame) => array(frame).length;
    }
    case 'index':
      return compileIndex(node);
    case 'call':
      return compileMethod(node);
    case 'lambda':
      return compileLambda(node);
  }
}

function compileGetter(node: Checked & { kind: 'attribute' }): Run {
  const { object, attribute } = node;
  const own = ownAttribute(node);
  if (own) return compileOwnAttribute(own, attribute.kind);
  return compileAttribute(node, operandOf<ObjectReader>(object));
}

/** Skips an unbox node: the code that uses the value checks it for null, which saves one call per evaluation. */
function operandOf<V>(node: Checked): Operand<V> {
  const inner = node.kind === 'convert' && node.conversion.kind === 'unbox' ? node.operand : node;
  return { run: compileAs<V>(inner), subject: subjectOf(inner), at: inner.at };
}

/** The name to use in "x is null". Builds no new strings: with many expressions they would cost memory. */
function subjectOf(node: Checked): string {
  switch (node.kind) {
    case 'variable':
      return node.variable === 'new' ? 'svcObject' : 'oldSvcObject';
    case 'attribute':
      return node.attribute.name;
    case 'parameter':
      return node.name;
    case 'call':
      return node.method.name;
    default:
      return 'a value';
  }
}

function compileConversion(node: Checked & { kind: 'convert' }): Run {
  const { conversion } = node;
  if (conversion.kind === 'change') {
    const operand = operandOf<Long>(node.operand);
    const change = changeOf(conversion.from, conversion.to)!;
    return compileChange(operand, change, conversion.isNullSafe);
  }
  const operand = operandOf<unknown>(node.operand);
  const { run } = operand;
  if (conversion.kind === 'falseIfNull') return (frame) => run(frame) ?? false;
  return (frame) => {
    const value = run(frame);
    if (value === null) throw nullFailure(operand, 'a value');
    return value;
  };
}

function compileChange(operand: Operand<Long>, change: (value: Long) => Long, isNullSafe: boolean): Run {
  const { run } = operand;
  return (frame) => {
    const value = run(frame);
    if (value !== null) return change(value);
    if (isNullSafe) return null;
    throw nullFailure(operand, 'a number');
  };
}

function compileSame({ left, right, isNegated }: Checked & { kind: 'same' }): Run {
  const [first, second] = [compile(left), compile(right)];
  if (right.kind === 'constant' && typeof right.value === 'string') {
    const { value } = right;
    return isNegated ? (frame) => first(frame) !== value : (frame) => first(frame) === value;
  }
  const isSame = equalityOf(left.type, right.type);
  return isNegated
    ? (frame) => !isSame(first(frame), second(frame), frame)
    : (frame) => isSame(first(frame), second(frame), frame);
}

// Loops by index: iterating with `for…of` takes a few nanoseconds more, and these closures run for every filter.
function compileAll(conditions: readonly Run<boolean>[]): Run<boolean> {
  return (frame) => {
    for (let index = 0; index < conditions.length; index++) if (!conditions[index]!(frame)) return false;
    return true;
  };
}

function compileAny(conditions: readonly Run<boolean>[]): Run<boolean> {
  return (frame) => {
    for (let index = 0; index < conditions.length; index++) if (conditions[index]!(frame)) return true;
    return false;
  };
}

function compileConcat(nodes: readonly Checked[]): Run<string> {
  const parts = nodes.map((node) => ({ run: compile(node), render: rendering(node.type) }));
  return (frame) => {
    let text = '';
    for (const { run, render } of parts) {
      text += render(run(frame));
      boundText(text.length);
    }
    spendText(frame, text.length);
    return text;
  };
}

function rendering(type: JavaType): (value: unknown) => string {
  return renderingOf(type) ?? String;
}

function compileArray(node: Checked): Run<readonly unknown[]> {
  const operand = operandOf<readonly unknown[]>(node);
  const { run } = operand;
  return (frame) => {
    const array = run(frame);
    if (array === null) throw nullFailure(operand, 'an array');
    return array;
  };
}

function compileIndex({ array, index, at }: Checked & { kind: 'index' }): Run {
  const [elements, number] = [compileArray(array), compileAs<number>(index)];
  return (frame) => {
    const list = elements(frame);
    const position = number(frame);
    if (position < 0 || position >= list.length)
      throw new JavaFailure(
        'ArrayIndexOutOfBoundsException',
        `index ${position} is out of bounds for length ${list.length}`,
        at,
      );
    return list[position];
  };
}

function compileMethod({ method, receiver, args, at }: Checked & { kind: 'call' }): Run {
  return compileCall(method, receiver && operandOf(receiver), args.map(compile), at);
}

/** Each run of a lambda costs as many steps as its body has nodes. */
function compileLambda({ slot, body, weight }: Checked & { kind: 'lambda' }): Run {
  const run = compile(body);
  return (frame) => (element: unknown) => {
    spend(frame, weight);
    frame.parameters[slot] = element;
    return run(frame);
  };
}
