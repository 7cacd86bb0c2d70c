// Prints the result of a command on standard output: text for people, or JSON for programs with `--json`.

import { printable } from '@flaghoist/source-text';

export interface OutputOptions {
  json?: boolean;
}

export const jsonOption = ['--json', 'print JSON, for programs'] as const;

export function printResult({ json }: OutputOptions, result: unknown, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : text);
}

/** Aligned columns under a header. Invisible characters, such as terminal escapes, are shown by name. */
export function renderTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows.map((row) => row.map(renderCell))];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => lengthOf(line[column]!))));
  const renderLine = (line: readonly string[]) =>
    line.map((text, column) => text + ' '.repeat(widths[column]! - lengthOf(text))).join('  ');
  return lines.map((line) => `${renderLine(line).trimEnd()}\n`).join('');
}

type Cell = string | number | boolean | readonly string[] | null | undefined;

export function renderCell(cell: Cell): string {
  if (cell === null || cell === undefined || cell === '') return '-';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return printable(typeof cell === 'object' ? cell.join(' ') : String(cell));
}

/** Names and values under each other, aligned. */
export function renderRows(rows: readonly (readonly [name: string, value: Cell])[]): string {
  const width = Math.max(...rows.map(([name]) => lengthOf(name)));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${renderCell(value)}\n`).join('');
}

/** In characters, not UTF-16 units. */
function lengthOf(text: string): number {
  return [...text].length;
}
