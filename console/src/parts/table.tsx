// A list of things alike. Only the rows in sight are there, so ten thousand scroll as ten do; on a phone
// columns of less importance give way.

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { memo, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from "react";
import { classes } from "./classes.ts";

export interface Column<Row> {
  title: string;
  /** Its title is only told to who cannot see the column. */
  untitled?: true;
  /** A track of the grid: "1fr", "8rem", "minmax(10rem, 2fr)". */
  width: string;
  /** Numbers stand on the right. */
  right?: boolean;
  /** Not shown below this width of the window. */
  from?: "sm" | "md" | "lg";
  cell: (row: Row) => ReactNode;
}

interface Props<Row> {
  /** What is listed, for who cannot see it. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  idOf: (row: Row) => string;
  /** In px; all rows are as high. */
  rowHeight?: number;
  /** Called when somebody comes near the last rows: for lists that the service pages. */
  onEnd?: () => void;
  /** Called with the first and the last row that are there, as somebody scrolls. */
  onSight?: (first: number, last: number) => void;
}

/** So many rows before the last, more are asked for. */
const NEAR_END = 60;

const shownFrom = { sm: "hidden sm:flex", md: "hidden md:flex", lg: "hidden lg:flex" };

export function Table<Row>({
  label,
  columns,
  rows,
  idOf,
  rowHeight = 48,
  onEnd,
  onSight,
}: Props<Row>) {
  const place = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const box = place.current?.getBoundingClientRect();
    if (box) setTop(box.top + window.scrollY);
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    getItemKey: (n) => idOf(rows[n]!),
    overscan: 8,
    scrollMargin: top,
    useFlushSync: false, // what one scrolls past meanwhile need not be drawn
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useLayoutEffect(() => onSight?.(first, last), [first, last, onSight]);
  useLayoutEffect(() => {
    if (onEnd && last >= rows.length - NEAR_END) onEnd();
  }, [last, rows.length, onEnd]);
  const tracks = useTracks(columns);
  return (
    <div
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      className="overflow-hidden rounded-card border border-line bg-surface"
    >
      <div
        role="row"
        className="grid h-10 items-center gap-x-4 border-b border-line px-4 text-xs font-medium text-muted"
        style={{ gridTemplateColumns: tracks }}
      >
        {columns.map((column) => (
          <Cell key={column.title} column={column} role="columnheader">
            <span className={column.untitled ? "sr-only" : ""}>{column.title}</span>
          </Cell>
        ))}
      </div>
      <div
        ref={place}
        role="rowgroup"
        className="relative"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {items.map((item) => (
          <MemoRow
            key={item.key}
            row={rows[item.index]!}
            index={item.index}
            columns={columns as Column<unknown>[]}
            tracks={tracks}
            height={item.size}
            offset={item.start - top}
          />
        ))}
      </div>
    </div>
  );
}

interface RowProps<Row> {
  row: Row;
  index: number;
  columns: Column<Row>[];
  tracks: string;
  /** In px, as its place below the first. */
  height: number;
  offset: number;
}

/** Its cells are drawn anew only where what they show has changed, not where it moves. */
function TableRow<Row>({ row, index, columns, tracks, height, offset }: RowProps<Row>) {
  const cells = useMemo(
    () =>
      columns.map((column) => (
        <Cell key={column.title} column={column} role="cell">
          {column.cell(row)}
        </Cell>
      )),
    [columns, row],
  );
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className="absolute inset-x-0 top-0 grid items-center gap-x-4 border-b border-line px-4 contain-strict hover:bg-sunken/60"
      style={{ gridTemplateColumns: tracks, height, transform: `translateY(${offset}px)` }}
    >
      {cells}
    </div>
  );
}

const MemoRow = memo(TableRow<unknown>);

interface CellProps<Row> {
  column: Column<Row>;
  role: "cell" | "columnheader";
  children: ReactNode;
}

function Cell<Row>({ column, role, children }: CellProps<Row>) {
  return (
    <div
      role={role}
      className={classes(
        "min-w-0 items-center gap-2",
        column.from ? shownFrom[column.from] : "flex",
        column.right && "justify-end text-right",
      )}
    >
      <div className="min-w-0 truncate">{children}</div>
    </div>
  );
}

const widths = { sm: 640, md: 768, lg: 1024 };

/** The tracks of the columns that the window has room for. */
function useTracks<Row>(columns: Column<Row>[]): string {
  const [width, setWidth] = useState(window.innerWidth);
  useLayoutEffect(() => {
    const note = () => setWidth(window.innerWidth);
    window.addEventListener("resize", note);
    return () => window.removeEventListener("resize", note);
  }, []);
  const shown = columns.filter(({ from }) => !from || width >= widths[from]);
  return shown.map((column) => column.width).join(" ");
}
