// The public interface of the package.

export type { ChangedObjects } from './compile/frame.ts';
export { type CompiledExpression, compileExpression } from './compile-expression.ts';
export { type Completion, type Completions, completionsAt } from './completions.ts';
export type { ObjectReader, StoredValue, TypedReader } from './input/object-shape.ts';
export type { FieldTree } from './typing/read-place.ts';
