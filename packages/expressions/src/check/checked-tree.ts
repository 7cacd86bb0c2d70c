// The tree that the checker produces. Every node has a Java type, names are resolved to attributes and methods, and
// each implicit conversion is a node of its own. The tree is always well-typed, so the compiler checks nothing again.

import type { AttributeShape } from '../input/object-shape.ts';
import type { BoundMethod } from '../methods/method.ts';
import type { ArithmeticOperator, ComparisonOperator } from '../syntax/syntax-tree.ts';
import type { ComputedName, JavaType, PrimitiveName } from '../typing/java-type.ts';
import type { Variable } from '../typing/read-place.ts';

export type Checked = CheckedNode & CheckedPlace;

export interface CheckedPlace {
  readonly type: JavaType;
  /** The offset in the text that a failure reports. */
  readonly at: number;
}

export type Conversion =
  /** Takes the value out of a box; null causes a NullPointerException. */
  | { readonly kind: 'unbox' }
  /** Null counts as false (short forms). */
  | { readonly kind: 'falseIfNull' }
  | { readonly kind: 'change'; readonly from: PrimitiveName; readonly to: PrimitiveName; readonly isNullSafe: boolean };

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
  /** Compares two numbers, booleans, dates or texts of one kind. If `isNullSafe`, null on either side gives false. */
  | {
      readonly kind: 'compare';
      readonly operator: ComparisonOperator;
      readonly left: Checked;
      readonly right: Checked;
      readonly isNullSafe: boolean;
    }
  /** `==` and `!=` on references: compares objects by key, and other references by value. */
  | { readonly kind: 'same'; readonly left: Checked; readonly right: Checked; readonly isNegated: boolean }
  | { readonly kind: 'isNull'; readonly operand: Checked; readonly isNegated: boolean }
  | { readonly kind: 'all' | 'any'; readonly conditions: readonly Checked[] }
  | { readonly kind: 'choice'; readonly condition: Checked; readonly yes: Checked; readonly no: Checked }
  | { readonly kind: 'concat'; readonly parts: readonly Checked[] }
  | { readonly kind: 'list'; readonly elements: readonly Checked[] }
  | { readonly kind: 'length'; readonly array: Checked }
  | { readonly kind: 'index'; readonly array: Checked; readonly index: Checked }
  /** `receiver` is undefined for static methods and constructors. */
  | {
      readonly kind: 'call';
      readonly receiver: Checked | undefined;
      readonly method: BoundMethod;
      readonly args: readonly Checked[];
    }
  | { readonly kind: 'lambda'; readonly slot: number; readonly body: Checked; readonly weight: number };
