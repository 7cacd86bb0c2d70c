// The public interface of the package.

export type { EvaluatedObjects } from './compile/evaluate.ts';
export type { ChangedObjects } from './compile/frame.ts';
export { type CompiledExpression, compileExpression } from './compile-expression.ts';
export { type Completion, type Completions, completionsAt } from './completions.ts';
export type { ObjectReader, StoredValue, TypedReader } from './input/object-shape.ts';
export type { Evaluation } from './trace/evaluation.ts';
export { type ExpressionTrace, type TracedExpression, traceExpression } from './trace/trace-expression.ts';
export type { FieldTree } from './typing/read-place.ts';
