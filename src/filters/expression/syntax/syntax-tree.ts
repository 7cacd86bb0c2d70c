// What the parsers make of the text: a tree with places. Java and the short forms make the same tree; `path` and `word`
// come from short forms alone, calls, lambdas and the like from Java alone.

import type { Span } from '../mistake.ts';
import type { NumberLiteral } from './read-number.ts';

export type Tree = TreeNode & TreePlace;

export interface TreePlace extends Span {
  /** Of the tree below, this node included: bounds the recursion of whoever walks it. */
  readonly depth: number;
}

export interface Name extends Span {
  readonly text: string;
}

export type TreeNode =
  | { readonly kind: 'number'; readonly number: NumberLiteral }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'character'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'name'; readonly name: Name }
  /** `Math.PI`, `parts.length`: the checker knows which are allowed. */
  | { readonly kind: 'member'; readonly object: Tree; readonly name: Name }
  | {
      readonly kind: 'call';
      readonly receiver: Tree | undefined;
      readonly name: Name;
      readonly passed: readonly Tree[];
    }
  | { readonly kind: 'index'; readonly object: Tree; readonly index: Tree }
  | { readonly kind: 'new'; readonly className: Name; readonly passed: readonly Tree[] }
  | { readonly kind: 'lambda'; readonly parameter: Name; readonly body: Tree }
  | { readonly kind: 'cast'; readonly to: Name; readonly operand: Tree }
  | { readonly kind: 'instanceof'; readonly operand: Tree; readonly of: Name }
  | { readonly kind: 'unary'; readonly operator: '-' | '+' | '!'; readonly operand: Tree }
  | {
      readonly kind: 'binary';
      readonly operator: ArithmeticOperator | ComparisonOperator;
      readonly operatorAt: Span;
      readonly left: Tree;
      readonly right: Tree;
    }
  /** `&&` and `||`: a row of them is one node, since people write long ones. */
  | { readonly kind: 'all' | 'any'; readonly conditions: readonly Tree[] }
  | { readonly kind: 'choice'; readonly condition: Tree; readonly yes: Tree; readonly no: Tree }
  /** `vessel.vesselName`, `old.voyageStatus`: null where anything on the way is. */
  | { readonly kind: 'path'; readonly variable: 'new' | 'old'; readonly names: readonly Name[] };

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';

export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

export function isArithmetic(operator: ArithmeticOperator | ComparisonOperator): operator is ArithmeticOperator {
  return '+-*/%'.includes(operator);
}
