// The syntax tree that the parsers build, with source positions. Java and the short forms share the tree: only short
// forms produce `path`, and only Java produces calls, lambdas and the like.

import type { JavaType } from '../typing/java-type.ts';
import type { Span } from './mistake.ts';

export type Tree = TreeNode & TreePlace;

export interface TreePlace extends Span {
  /** Depth of the subtree, including this node. It bounds the recursion of code that walks the tree. */
  readonly depth: number;
}

export interface Name extends Span {
  readonly text: string;
}

export type TreeNode =
  | { readonly kind: 'literal'; readonly type: JavaType; readonly value: unknown }
  | { readonly kind: 'name'; readonly name: Name }
  /** `Math.PI`, `parts.length`: the checker decides which members are allowed. */
  | { readonly kind: 'member'; readonly object: Tree; readonly name: Name }
  | { readonly kind: 'call'; readonly receiver: Tree | undefined; readonly name: Name; readonly args: readonly Tree[] }
  | { readonly kind: 'index'; readonly object: Tree; readonly index: Tree }
  | { readonly kind: 'new'; readonly name: Name; readonly args: readonly Tree[] }
  | { readonly kind: 'lambda'; readonly parameter: Name; readonly body: Tree }
  | { readonly kind: 'cast'; readonly to: Name; readonly operand: Tree }
  | { readonly kind: 'instanceof'; readonly operand: Tree; readonly of: Name }
  | { readonly kind: 'unary'; readonly operator: '-' | '+' | '!'; readonly operand: Tree }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly operatorAt: Span;
      readonly left: Tree;
      readonly right: Tree;
    }
  /** `&&` and `||`: a chain of one operator is one node, because authors write long chains. */
  | { readonly kind: 'all' | 'any'; readonly conditions: readonly Tree[] }
  | { readonly kind: 'choice'; readonly condition: Tree; readonly yes: Tree; readonly no: Tree }
  /** `vessel.vesselName`, `old.voyageStatus`: null if any object on the path is null. */
  | { readonly kind: 'path'; readonly variable: 'new' | 'old'; readonly names: readonly Name[] };

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';

export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** Of two booleans, both of which are always evaluated. */
export type LogicalOperator = '&' | '^' | '|';

export type BinaryOperator = ArithmeticOperator | ComparisonOperator | LogicalOperator;

export function isArithmetic(operator: BinaryOperator): operator is ArithmeticOperator {
  return '+-*/%'.includes(operator);
}

export function isLogical(operator: BinaryOperator): operator is LogicalOperator {
  return '&^|'.includes(operator);
}
