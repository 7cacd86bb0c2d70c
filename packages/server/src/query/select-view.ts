// The SELECT that renders a view of a row: its columns, and the condition that the result is not too large.

import { fitsCondition, type SizeBound } from './answer-size.ts';
import { indent } from './sql/statement-builder.ts';
import type { View } from './view.ts';
import { type Rendering, viewColumns } from './view-columns.ts';

/** Selects one row, or fails if the row would be too large. */
export function selectView(rendering: Rendering, view: View, alias: string, bound?: SizeBound): string {
  const condition = fitsCondition(rendering, view, alias, bound);
  const columns = `select ${indent(viewColumns(rendering, view, alias))}`;
  return condition === undefined ? columns : `${columns}\nwhere ${condition}`;
}
