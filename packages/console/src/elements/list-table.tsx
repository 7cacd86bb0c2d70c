// A table of a list that is loaded as far as it is scrolled, with its skeleton, its failure and its empty state.

import type { VNode } from 'preact';
import type { LoadedList } from '../service/use-list.ts';
import { Failure, Skeleton } from './loading.tsx';
import { type Column, Table } from './table.tsx';

interface ListTableProps<Row> {
  label: string;
  list: LoadedList<Row>;
  columns: readonly Column<Row>[];
  keyOf(row: Row): number | string;
  onOpen?(row: Row): void;
  selected?: number | string | undefined;
  onTop?(isAtTop: boolean): void;
  /** Shown where the list is empty. */
  empty: VNode;
}

export function ListTable<Row>({ list, empty, ...table }: ListTableProps<Row>) {
  if (list.kind === 'failed') return <Failure error={list.error} retry={list.reload} />;
  if (list.rows.length === 0) return list.kind === 'loading' ? <Skeleton /> : empty;
  return <Table {...table} rows={list.rows} onEnd={list.more} />;
}

export function countText(count: number | undefined, one: string, many: string): string {
  if (count === undefined) return '';
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}
