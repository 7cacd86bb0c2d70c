// What the checker makes of a tree: every node has a type of Java, names are resolved to attributes and methods, and each
// conversion that Java does silently is a node of its own. Nothing in it can be ill-typed, so compiling asks no questions.

import type { Attribute } from '../../../model/object-type.ts';
import type { BoundMethod } from '../methods/method.ts';
import type { ArithmeticOperator, ComparisonOperator } from '../syntax/syntax-tree.ts';
import type { ComputedName, JavaType, PrimitiveName } from './java-type.ts';
import type { Variable } from './read-place.ts';

export type Checked = CheckedNode & CheckedPlace;

export interface CheckedPlace {
  readonly type: JavaType;
  /** Offset in the text that a failure points at. */
  readonly at: number;
}

export type Conversion =
  /** The value of a box; null is a NullPointerException. */
  | { readonly kind: 'unbox' }
  /** Null counts as false (short forms). */
  | { readonly kind: 'falseIfNull' }
  | { readonly kind: 'change'; readonly from: PrimitiveName; readonly to: PrimitiveName; readonly isNullSafe: boolean };

export type CheckedNode =
  /** Where a mistake was told. Its type may be known all the same; it is never compiled. */
  | { readonly kind: 'mistaken' }
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'variable'; readonly variable: Variable }
  | { readonly kind: 'parameter'; readonly slot: number; readonly name: string }
  | {
      readonly kind: 'attribute';
      readonly object: Checked;
      readonly attribute: Attribute;
      /** Null on null, instead of a NullPointerException. */
      readonly isNullSafe: boolean;
    }
  | { readonly kind: 'convert'; readonly operand: Checked; readonly conversion: Conversion }
  | { readonly kind: 'not'; readonly operand: Checked }
  | { readonly kind: 'negate'; readonly operand: Checked; readonly as: ComputedName; readonly isNullSafe: boolean }
  | {
      readonly kind: 'arithmetic';
      readonly operator: ArithmeticOperator;
      readonly as: ComputedName;
      readonly left: Checked;
      readonly right: Checked;
      readonly isNullSafe: boolean;
    }
  /** Two numbers, booleans, dates or texts of one kind; where `isNullSafe`, false if either is null. */
  | {
      readonly kind: 'compare';
      readonly operator: ComparisonOperator;
      readonly left: Checked;
      readonly right: Checked;
      readonly isNullSafe: boolean;
    }
  /** `==` and `!=` on references: by value, on objects by key. */
  | { readonly kind: 'same'; readonly left: Checked; readonly right: Checked; readonly isNegated: boolean }
  | { readonly kind: 'isNull'; readonly operand: Checked; readonly isNegated: boolean }
  | { readonly kind: 'all' | 'any'; readonly conditions: readonly Checked[] }
  | { readonly kind: 'choice'; readonly condition: Checked; readonly yes: Checked; readonly no: Checked }
  | { readonly kind: 'concat'; readonly parts: readonly Checked[] }
  | { readonly kind: 'list'; readonly elements: readonly Checked[] }
  | { readonly kind: 'length'; readonly array: Checked }
  | { readonly kind: 'index'; readonly array: Checked; readonly index: Checked }
  /** `receiver` is undefined for what is static. */
  | {
      readonly kind: 'call';
      readonly receiver: Checked | undefined;
      readonly method: BoundMethod;
      readonly passed: readonly Checked[];
    }
  | { readonly kind: 'lambda'; readonly slot: number; readonly body: Checked; readonly weight: number };
