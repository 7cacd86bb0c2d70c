// Compiles a checked tree to closures, once; evaluating an expression calls them. The checker has resolved all types,
// so they are not checked again.

import type { Checked } from '../check/checked-tree.ts';
import type { ObjectReader, TypedReader } from '../input/object-shape.ts';
import { equalityOf, renderingOf } from '../methods/value-class.ts';
import { checkIndex } from '../run/java-failure.ts';
import type { Long } from '../run/java-number.ts';
import { checkTextLength, spend, spendText } from '../run/meter.ts';
import { compileAttribute, compileOptional, compileOwn } from './compile-attribute.ts';
import { compileCall } from './compile-call.ts';
import { compileArithmetic, compileComparison, compileLogical } from './compile-operators.ts';
import { compileNarrow, mayBeMissing, readers, receiverOf, subjectOf } from './compile-receiver.ts';
import { nullFailure, type Operand, type Run } from './frame.ts';

/** `V` is the type of the value that the closure returns. The cast is safe: the checker has checked the type. */
export function compileAs<V>(node: Checked): Run<V> {
  return compile(node) as Run<V>;
}

function compile(node: Checked): Run {
  return compileOwn(node) ?? compileNode(node);
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
      return readers[node.variable];
    case 'parameter': {
      const { slot } = node;
      return (frame) => frame.parameters[slot];
    }
    case 'attribute':
      return mayBeMissing(node)
        ? compileOptional(node, receiverOf(node.object, compile), 'value')
        : compileAttribute(node, operandOf<ObjectReader>(node.object));
    case 'nonNull':
      return compileNonNull(node);
    case 'falseIfNull': {
      const operand = compile(node.operand);
      return (frame) => operand(frame) ?? false;
    }
    case 'apply':
      return compileApply(node);
    case 'not': {
      const operand = compileAs<boolean>(node.operand);
      return (frame) => !operand(frame);
    }
    case 'arithmetic':
      return compileArithmetic(node, { left: compileAs<Long>(node.left), right: compileAs<Long>(node.right) });
    case 'compare':
      return compileComparison(node.operator, { left: compileAs(node.left), right: compileAs(node.right) });
    case 'logical':
      return compileLogical(node.operator, { left: compileAs(node.left), right: compileAs(node.right) });
    case 'equals':
      return compileEquality(node);
    case 'isOfType': {
      const [operand, { typeName }] = [compileAs<TypedReader | null>(node.operand), node];
      return (frame) => operand(frame)?.typeName === typeName;
    }
    case 'narrow':
      return compileNarrow(node, compileAs<TypedReader | null>(node.operand));
    case 'isNull': {
      const operand = compile(node.operand);
      return node.isNegated ? (frame) => operand(frame) !== null : (frame) => operand(frame) === null;
    }
    case 'all':
    case 'any':
      return compileConditions(node.conditions.map(compileAs<boolean>), node.kind === 'any');
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
    case 'index':
      return compileIndex(node);
    case 'call':
      return compileCall(node.method, node.receiver && operandOf(node.receiver), node.args.map(compile), node.at);
    case 'lambda':
      return compileLambda(node);
  }
}

function operandOf<V>(node: Checked): Operand<V> {
  return { run: compileAs<V>(node), subject: subjectOf(node) };
}

function compileNonNull({ operand, type }: Checked & { kind: 'nonNull' }): Run {
  const run = compile(operand);
  const subject = subjectOf(operand);
  const { at } = operand;
  return (frame) => {
    const value = run(frame);
    if (value === null) throw nullFailure(subject, type, at);
    return value;
  };
}

function compileApply(node: Checked & { kind: 'apply' }): Run {
  const operand = compile(node.operand);
  const apply = node.apply as (value: unknown) => unknown;
  return (frame) => {
    const value = operand(frame);
    return value === null ? null : apply(value);
  };
}

function compileEquality({ left, right, isNegated }: Checked & { kind: 'equals' }): Run {
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

function compileConcat(nodes: readonly Checked[]): Run<string> {
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

function compileIndex({ array, index, at }: Checked & { kind: 'index' }): Run {
  const [elements, number] = [compileAs<readonly unknown[]>(array), compileAs<number>(index)];
  return (frame) => {
    const list = elements(frame);
    const position = number(frame);
    checkIndex(position, list.length, 'ArrayIndexOutOfBoundsException', at);
    return list[position];
  };
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
