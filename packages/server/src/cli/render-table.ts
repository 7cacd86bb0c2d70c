// Renders rows as aligned columns under a header. Invisible characters, such as terminal escapes, are shown by name.

import { printable } from '@flaghoist/source-text';

export type Cell = string | boolean | readonly string[] | null;

export function renderTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows.map((row) => row.map(renderCell))];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => [...line[column]!].length)));
  return lines
    .map(
      (line) =>
        `${line
          .map((text, column) => pad(text, widths[column]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function renderCell(cell: Cell): string {
  if (cell === null || cell === '') return '-';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return printable(typeof cell === 'string' ? cell : cell.join(' '));
}

/** Counts characters, not UTF-16 units. */
function pad(text: string, width: number): string {
  return text + ' '.repeat(width - [...text].length);
}
