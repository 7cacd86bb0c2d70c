// Compiles the most frequent conditions of filters: an attribute of svcObject or oldSvcObject compared with a constant
// text or number, or with null. Each becomes one closure instead of three, which takes half the time and a third of the
// memory (measured by `bench/matching/evaluate-cost.ts`).

import type { Checked } from '../check/checked-tree.ts';
import { type OwnAttribute, readNumber, readOwn } from './compile-attribute.ts';
import { calledOnNull } from './compile-call.ts';
import { comparisons } from './compile-operators.ts';
import { nullFailure, type Run } from './frame.ts';

/** Undefined for all other nodes. */
export function compileCondition(node: Checked): Run<boolean> | undefined {
  switch (node.kind) {
    case 'call':
      return compileEquals(node);
    case 'compare':
      return compileCompare(node);
    case 'isNull':
      return compileIsNull(node);
    default:
      return undefined;
  }
}

/** Undefined if the node is not an attribute of svcObject or oldSvcObject. */
export function ownAttribute(node: Checked): OwnAttribute | undefined {
  if (node.kind !== 'attribute' || node.object.kind !== 'variable') return undefined;
  const { attribute, object, isNullSafe, at } = node;
  return { isNew: object.variable === 'new', name: attribute.name, isNullSafe, at };
}

/** `svcObject.getVoyageStatus().equals("FIN")`. Nothing is charged: texts of different lengths differ immediately. */
function compileEquals({ receiver, method, args, at }: Checked & { kind: 'call' }): Run<boolean> | undefined {
  const own = receiver && isKind(receiver, ['text', 'code']) && ownAttribute(receiver);
  const [other] = args;
  if (!own || method.name !== 'equals' || other?.kind !== 'constant' || typeof other.value !== 'string')
    return undefined;
  const { value: text } = other;
  return (frame) => {
    const value = readOwn(frame, own);
    if (value === null) throw calledOnNull('equals', own.name, at);
    return value === text;
  };
}

/** `svcObject.getFreight() > 10000`, or `voyageStatus = NOM` in a short form. */
function compileCompare({ operator, left, right }: Checked & { kind: 'compare' }): Run<boolean> | undefined {
  const { type } = left;
  const isStrict = left.kind === 'nonNull';
  const node = isStrict ? left.operand : left;
  const own = ownAttribute(node);
  if (!own || right.kind !== 'constant' || right.value === null) return undefined;
  const compare = comparisons[operator];
  const { value: other } = right as { value: number };
  const isText = isKind(node, ['text', 'code']);
  if (!isText && !isKind(node, ['decimal', 'integer'])) return undefined;
  return (frame) => {
    const stored = readOwn(frame, own);
    const value = isText ? stored : readNumber(stored);
    if (value !== null) return compare(value as number, other);
    if (isStrict) throw nullFailure(own.name, type, own.at);
    return false;
  };
}

function compileIsNull({ operand, isNegated }: Checked & { kind: 'isNull' }): Run<boolean> | undefined {
  const own = ownAttribute(operand);
  // A collection is never null: if it was not loaded, it is empty.
  if (!own || isKind(operand, ['collection'])) return undefined;
  return (frame) => (readOwn(frame, own) === null) !== isNegated;
}

function isKind(node: Checked, kinds: readonly string[]): boolean {
  return node.kind === 'attribute' && kinds.includes(node.attribute.kind);
}
