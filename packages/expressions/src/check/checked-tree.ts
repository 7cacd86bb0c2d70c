// The tree that the checker produces. Every node has a Java type, names are resolved to attributes and methods, and
// each implicit conversion is a node of its own. The tree is always well-typed, so the compiler checks nothing again.

import type { AttributeShape } from '../input/object-shape.ts';
import type { BoundMethod } from '../methods/method.ts';
import type { Span } from '../syntax/mistake.ts';
import type { ArithmeticOperator, ComparisonOperator, LogicalOperator } from '../syntax/syntax-tree.ts';
import type { ComputedName, JavaType } from '../typing/java-type.ts';
import type { Variable } from '../typing/variable.ts';

export type Checked = CheckedNode & CheckedPlace;

export interface CheckedPlace {
  readonly type: JavaType;
  /** The offset in the text that a failure reports. */
  readonly at: number;
  /** The part of the text that the node is the value of. Only kept for a trace (`CheckContext.keepsSources`). */
  readonly source?: Source | undefined;
}

export interface Source extends Span {
  /** As written. A later conversion may have changed the type of the node. */
  readonly type: JavaType;
}

interface Operands {
  readonly left: Checked;
  readonly right: Checked;
}

export type CheckedNode =
  /** A node with a reported mistake. Its type may be known nevertheless; it is never compiled. */
  | { readonly kind: 'invalid' }
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'variable'; readonly variable: Variable }
  | { readonly kind: 'parameter'; readonly slot: number; readonly name: string }
  | {
      readonly kind: 'attribute';
      readonly object: Checked;
      readonly attribute: AttributeShape;
      /** Whether reading from null gives null instead of a NullPointerException. */
      readonly isNullSafe: boolean;
      /**
       * The types that have the attribute, by name, if the object may have another type. Its attribute is then null.
       */
      readonly owners?: ReadonlySet<string>;
    }
  /** The operand, where null causes a NullPointerException. */
  | { readonly kind: 'nonNull'; readonly operand: Checked }
  /** The operand, where null counts as false (short forms). */
  | { readonly kind: 'falseIfNull'; readonly operand: Checked }
  /** A function of one value. Null stays null (short forms). */
  | { readonly kind: 'apply'; readonly operand: Checked; readonly apply: (value: never) => unknown }
  | { readonly kind: 'not'; readonly operand: Checked }
  /** Null on either side gives null (short forms). */
  | ({ readonly kind: 'arithmetic'; readonly operator: ArithmeticOperator; readonly as: ComputedName } & Operands)
  /** Compares two numbers, booleans, dates or texts of one kind. Null on either side gives false (short forms). */
  | ({ readonly kind: 'compare'; readonly operator: ComparisonOperator } & Operands)
  | ({ readonly kind: 'logical'; readonly operator: LogicalOperator } & Operands)
  /** `==` and `!=` on references: compares objects by key, and other references by value. */
  | ({ readonly kind: 'equals'; readonly isNegated: boolean } & Operands)
  | { readonly kind: 'isOfType'; readonly operand: Checked; readonly typeName: string }
  /** A cast to one of several types. Another type causes a ClassCastException. */
  | { readonly kind: 'narrow'; readonly operand: Checked; readonly typeName: string }
  | { readonly kind: 'isNull'; readonly operand: Checked; readonly isNegated: boolean }
  | { readonly kind: 'all' | 'any'; readonly conditions: readonly Checked[] }
  | { readonly kind: 'choice'; readonly condition: Checked; readonly yes: Checked; readonly no: Checked }
  | { readonly kind: 'concat'; readonly parts: readonly Checked[] }
  | { readonly kind: 'list'; readonly elements: readonly Checked[] }
  | { readonly kind: 'index'; readonly array: Checked; readonly index: Checked }
  /** `receiver` is undefined for static methods and constructors. */
  | {
      readonly kind: 'call';
      readonly receiver: Checked | undefined;
      readonly method: BoundMethod;
      readonly args: readonly Checked[];
    }
  | {
      readonly kind: 'lambda';
      readonly slot: number;
      /** The type of the parameter. */
      readonly element: JavaType;
      readonly body: Checked;
      readonly weight: number;
    };

/** The nodes that a node is made of. */
export function childrenOf(node: Checked): readonly Checked[] {
  switch (node.kind) {
    case 'invalid':
    case 'constant':
    case 'variable':
    case 'parameter':
      return [];
    case 'attribute':
      return [node.object];
    case 'nonNull':
    case 'falseIfNull':
    case 'apply':
    case 'not':
    case 'isOfType':
    case 'narrow':
    case 'isNull':
      return [node.operand];
    case 'arithmetic':
    case 'compare':
    case 'logical':
    case 'equals':
      return [node.left, node.right];
    case 'all':
    case 'any':
      return node.conditions;
    case 'choice':
      return [node.condition, node.yes, node.no];
    case 'concat':
      return node.parts;
    case 'list':
      return node.elements;
    case 'index':
      return [node.array, node.index];
    case 'call':
      return node.receiver ? [node.receiver, ...node.args] : node.args;
    case 'lambda':
      return [node.body];
  }
}
