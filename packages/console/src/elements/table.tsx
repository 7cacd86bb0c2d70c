// A table of tens of thousands of rows: only those in view are in the page. All rows have the same height. `j` and `k`
// move, `o` or Enter opens. When rows come before all others, the current row stays current, and those in view in view.

import type { ComponentChildren, TargetedEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useKeys } from '../keys/shortcuts.ts';
import { rowHeight } from '../looks/density.ts';

export interface Column<Row> {
  name: string;
  /** Instead of the name, for example a button that sorts. */
  head?: ComponentChildren;
  /** CSS width, for example `12ch` or `minmax(10ch, 2fr)`. */
  width: string;
  isNumber?: boolean;
  /** Left out where the page has fewer pixels. */
  shownFrom?: 640 | 1024 | undefined;
  show(row: Row): ComponentChildren;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): number | string;
  onOpen?(row: Row): void;
  /** Called when `j` or `k` moves to a row. */
  onMove?: ((row: Row) => void) | undefined;
  /** More keys for the current row. `Enter` among them does not open it. */
  rowKeys?: Readonly<Record<string, (row: Row) => void>>;
  /** The row that is marked, for example because its panel is open. */
  selected?: number | string | undefined;
  /** Called when the last rows come into view. */
  onEnd?(): void;
  /** Whether the list is scrolled to its top, for lists that grow there. */
  onTop?(isAtTop: boolean): void;
}

const overscan = 8;

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, onOpen, onMove, rowKeys = {}, selected, onEnd, onTop } = props;
  const frame = useRef<HTMLDivElement>(null);
  const shown = useRef(rows);
  const [view, setView] = useState({ top: 0, height: 600 });
  const [at, setAt] = useState<number | string | undefined>(undefined);
  const height = rowHeight.value;

  useLayoutEffect(() => {
    const measure = () =>
      frame.current && setView({ top: frame.current.scrollTop, height: frame.current.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const added = rowsAddedBefore(shown.current, rows, keyOf);
    shown.current = rows;
    if (frame.current!.scrollTop >= height) frame.current!.scrollTop += added * height;
  }, [rows]);

  const first = Math.max(0, Math.floor(view.top / height) - overscan);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / height) + overscan);
  const isNearEnd = last >= rows.length - overscan;
  useEffect(() => {
    if (isNearEnd && rows.length > 0) onEnd?.();
  }, [isNearEnd, rows]);

  const onScroll = (event: TargetedEvent<HTMLDivElement>) => {
    const { scrollTop, clientHeight } = event.currentTarget;
    setView({ top: scrollTop, height: clientHeight });
    onTop?.(scrollTop < height);
  };
  const moveTo = (index: number) => {
    const next = Math.min(Math.max(index, 0), rows.length - 1);
    const row = rows[next];
    if (!row) return;
    setAt(keyOf(row));
    scrollIntoView(frame.current!, next, height);
    onMove?.(row);
  };
  const currentKey = at ?? selected;
  const current = currentKey === undefined ? -1 : rows.findIndex((row) => keyOf(row) === currentKey);
  const withCurrent = (act: ((row: Row) => void) | undefined) => () => rows[current] && act?.(rows[current]);
  useKeys({
    j: () => moveTo(current + 1),
    k: () => moveTo(current < 0 ? 0 : current - 1),
    o: withCurrent(onOpen),
    Enter: withCurrent(onOpen),
    ...Object.fromEntries(Object.entries(rowKeys).map(([key, act]) => [key, withCurrent(act)])),
  });

  return (
    <div
      class="table"
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      style={{
        '--columns': widthsOf(columns),
        '--columns-narrow': widthsOf(columns.filter(({ shownFrom }) => shownFrom !== 1024)),
        '--row': `${height}px`,
      }}
      data-columns={columns.length}
    >
      <div class="table-head" role="row">
        {columns.map((column) => (
          <div key={column.name} role="columnheader" class={cellClass(column)}>
            {column.head ?? column.name}
          </div>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <div class="table-body" role="rowgroup" tabIndex={0} ref={frame} onScroll={onScroll}>
        <div class="table-room" role="presentation" style={{ height: `${rows.length * height}px` }}>
          {rows.slice(first, last).map((row, offset) => {
            const index = first + offset;
            const key = keyOf(row);
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: `j`, `k`, `o` and Enter do the same, and the link in it.
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={key === selected}
                class={rowClass(key === selected, key === at, onOpen !== undefined)}
                style={{ transform: `translateY(${index * height}px)` }}
                onClick={(event) => {
                  if ((event.target as HTMLElement).closest('a, button, input')) return;
                  setAt(key);
                  onOpen?.(row);
                }}
              >
                {columns.map((column) => (
                  <div key={column.name} role="cell" class={cellClass(column)}>
                    {column.show(row)}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** 0 if anything else has changed, such as the order. */
function rowsAddedBefore<Row>(before: readonly Row[], rows: readonly Row[], keyOf: (row: Row) => unknown): number {
  const added = rows.length - before.length;
  if (added <= 0 || before.length === 0) return 0;
  return keyOf(rows[added]!) === keyOf(before[0]!) ? added : 0;
}

function widthsOf(columns: readonly { width: string }[]): string {
  return columns.map(({ width }) => width).join(' ');
}

function cellClass({ isNumber, shownFrom }: { isNumber?: boolean; shownFrom?: number | undefined }): string {
  return `cell${isNumber ? ' number' : ''}${shownFrom ? ` from-${shownFrom}` : ''}`;
}

function rowClass(isSelected: boolean, isCurrent: boolean, opens: boolean): string {
  return `row${isSelected ? ' selected' : ''}${isCurrent ? ' current' : ''}${opens ? ' opens' : ''}`;
}

function scrollIntoView(frame: HTMLElement, index: number, height: number): void {
  const top = index * height;
  if (top < frame.scrollTop) frame.scrollTop = top;
  else if (top + height > frame.scrollTop + frame.clientHeight) frame.scrollTop = top + height - frame.clientHeight;
}
