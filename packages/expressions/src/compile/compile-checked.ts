// Compiles a checked tree to closures, once; evaluating an expression calls them. The checker has resolved all types,
// so they are not checked again. Each node is compiled by a function that compiles its parts with the `Compile` that it
// is given: a trace wraps each part.

import type { Checked } from '../check/checked-tree.ts';
import type { ObjectReader, TypedReader } from '../input/object-shape.ts';
import { equalityOf, renderingOf } from '../methods/value-class.ts';
import { checkIndex } from '../run/java-failure.ts';
import type { Long } from '../run/java-number.ts';
import { checkTextLength, spend, spendText } from '../run/meter.ts';
import { compileAttribute, compileOptional, compileOwn } from './compile-attribute.ts';
import { compileCall } from './compile-call.ts';
import { compileArithmetic, compileComparison, compileLogical } from './compile-operators.ts';
import {
  type Compile,
  compileNarrow,
  compileReceiver,
  mayBeMissing,
  readers,
  receiverOf,
  subjectOf,
} from './compile-receiver.ts';
import { nullFailure, type Operand, type Run } from './frame.ts';

export function compileChecked(node: Checked): Run {
  return compile(node);
}

const compile: Compile = (node, as = 'value') => {
  if (as === 'receiver') return compileReceiver(node, compile);
  return compileOwn(node) ?? compileNode(node, compile);
};

/**
 * No closure in it uses `compile`. Otherwise all closures that it makes would keep it, which takes memory for every node
 * of every expression.
 */
export function compileNode(node: Checked, compile: Compile): Run {
  switch (node.kind) {
    case 'invalid':
      throw new Error('An expression with mistakes is not compiled.');
    case 'constant': {
      const { value } = node;
      return () => value;
    }
    case 'variable':
      return readers[node.variable];
    case 'parameter': {
      const { slot } = node;
      return (frame) => frame.parameters[slot];
    }
    case 'attribute':
      return mayBeMissing(node)
        ? compileOptional(node, receiverOf(node.object, compile), 'value')
        : compileAttribute(node, operandOf<ObjectReader>(node.object, compile));
    case 'nonNull':
      return compileNonNull(node, compile);
    case 'falseIfNull': {
      const operand = compile(node.operand);
      return (frame) => operand(frame) ?? false;
    }
    case 'apply':
      return compileApply(node, compile);
    case 'not': {
      const operand = compileAs<boolean>(node.operand, compile);
      return (frame) => !operand(frame);
    }
    case 'arithmetic':
      return compileArithmetic(node, sidesOf<Long>(node, compile));
    case 'compare':
      return compileComparison(node.operator, sidesOf(node, compile));
    case 'logical':
      return compileLogical(node.operator, sidesOf(node, compile));
    case 'equals':
      return compileEquality(node, compile);
    case 'isOfType': {
      const [operand, { typeName }] = [compileAs<TypedReader | null>(node.operand, compile), node];
      return (frame) => operand(frame)?.typeName === typeName;
    }
    case 'narrow':
      return compileNarrow(node, compileAs<TypedReader | null>(node.operand, compile));
    case 'isNull': {
      const operand = compile(node.operand);
      return node.isNegated ? (frame) => operand(frame) !== null : (frame) => operand(frame) === null;
    }
    case 'all':
    case 'any':
      return compileConditions(compileAll(node.conditions, compile) as Run<boolean>[], node.kind === 'any');
    case 'choice': {
      const [condition, yes, no] = [compileAs<boolean>(node.condition, compile), compile(node.yes), compile(node.no)];
      return (frame) => (condition(frame) ? yes(frame) : no(frame));
    }
    case 'concat':
      return compileConcat(node.parts, compile);
    case 'list': {
      const elements = compileAll(node.elements, compile);
      return (frame) => elements.map((element) => element(frame));
    }
    case 'index':
      return compileIndex(node, compile);
    case 'call':
      return compileCall(
        node.method,
        node.receiver && operandOf(node.receiver, compile),
        compileAll(node.args, compile),
        node.at,
      );
    case 'lambda':
      return compileLambda(node, compile);
  }
}

/** `V` is the type of the value that the closure returns. The cast is safe: the checker has checked the type. */
function compileAs<V>(node: Checked, compile: Compile): Run<V> {
  return compile(node) as Run<V>;
}

function sidesOf<V>({ left, right }: { left: Checked; right: Checked }, compile: Compile) {
  return { left: compileAs<V>(left, compile), right: compileAs<V>(right, compile) };
}

function compileAll(nodes: readonly Checked[], compile: Compile): Run[] {
  return nodes.map((node) => compile(node));
}

function operandOf<V>(node: Checked, compile: Compile): Operand<V> {
  return { run: compile(node) as Run<V | null>, subject: subjectOf(node) };
}

function compileNonNull({ operand, type }: Checked & { kind: 'nonNull' }, compile: Compile): Run {
  const run = compile(operand);
  const subject = subjectOf(operand);
  const { at } = operand;
  return (frame) => {
    const value = run(frame);
    if (value === null) throw nullFailure(subject, type, at);
    return value;
  };
}

function compileApply(node: Checked & { kind: 'apply' }, compile: Compile): Run {
  const operand = compile(node.operand);
  const apply = node.apply as (value: unknown) => unknown;
  return (frame) => {
    const value = operand(frame);
    return value === null ? null : apply(value);
  };
}

function compileEquality({ left, right, isNegated }: Checked & { kind: 'equals' }, compile: Compile): Run {
  const [first, second] = [compile(left), compile(right)];
  if (right.kind === 'constant' && typeof right.value === 'string') {
    const { value } = right;
    return isNegated ? (frame) => first(frame) !== value : (frame) => first(frame) === value;
  }
  const areEqual = equalityOf(left.type, right.type);
  return (frame) => areEqual(first(frame), second(frame), frame) !== isNegated;
}

/** `decisive` is the result that ends the evaluation: true for `||`, false for `&&`. */
function compileConditions(conditions: readonly Run<boolean>[], decisive: boolean): Run<boolean> {
  return (frame) => {
    // By index: iterating with `for…of` takes a few nanoseconds more, and this runs for every filter.
    for (let index = 0; index < conditions.length; index++) if (conditions[index]!(frame) === decisive) return decisive;
    return !decisive;
  };
}

function compileConcat(nodes: readonly Checked[], compile: Compile): Run<string> {
  const parts = nodes.map((node) => ({ run: compile(node), render: renderingOf(node.type) ?? String }));
  return (frame) => {
    let text = '';
    for (const { run, render } of parts) {
      text += render(run(frame));
      checkTextLength(text.length);
    }
    spendText(frame, text.length);
    return text;
  };
}

function compileIndex({ array, index, at }: Checked & { kind: 'index' }, compile: Compile): Run {
  const [elements, number] = [compile(array) as Run<readonly unknown[]>, compile(index) as Run<number>];
  return (frame) => {
    const list = elements(frame);
    const position = number(frame);
    checkIndex(position, list.length, 'ArrayIndexOutOfBoundsException', at);
    return list[position];
  };
}

/** Each run of a lambda costs as many steps as its body has nodes. */
function compileLambda({ slot, body, weight }: Checked & { kind: 'lambda' }, compile: Compile): Run {
  const run = compile(body);
  return (frame) => (element: unknown) => {
    spend(frame, weight);
    frame.parameters[slot] = element;
    return run(frame);
  };
}
