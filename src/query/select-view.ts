// The SELECT that shows a view over a row: its columns, and the condition that the answer can be sent.

import { fitsCondition, type SizeBound } from './answer-size.ts';
import { indent } from './statement-draft.ts';
import type { View } from './view.ts';
import { type Rendering, viewColumns } from './view-columns.ts';

/** One row, or an error where it would be too large. */
export function selectView(rendering: Rendering, view: View, alias: string, bound?: SizeBound): string {
  const condition = fitsCondition(rendering, view, alias, bound);
  const columns = `select ${indent(viewColumns(rendering, view, alias))}`;
  return condition === undefined ? columns : `${columns}\nwhere ${condition}`;
}
