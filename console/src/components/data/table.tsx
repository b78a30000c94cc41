// A virtualized table: only visible rows are in the DOM, so ten thousand rows scroll like ten. Narrow windows
// hide the less important columns.

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp } from "lucide-react";
import { memo, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from "react";
import { joinClasses } from "../format/class-names.ts";
import { type Sort, type SortValue, useSort } from "./sort.ts";

export interface Column<Row> {
  title: string;
  /** Whether only screen readers get the title. */
  isTitleHidden?: true;
  /** Shown in place of the title. */
  header?: ReactNode;
  /** A grid track: "1fr", "8rem", "minmax(10rem, 2fr)". */
  width: string;
  /** For numbers. */
  alignRight?: boolean;
  /** Hidden below this window width. */
  minWidth?: "sm" | "md" | "lg" | "xl" | "2xl";
  /** The value to sort by; without it, the rows cannot be sorted by this column. */
  sortBy?: (row: Row) => SortValue;
  cell: (row: Row) => ReactNode;
}

/** The last column: a menu for each row, or a button in a wider one. */
export function actionsColumn<Row>(cell: Column<Row>["cell"], width = "2rem"): Column<Row> {
  return { title: "Actions", isTitleHidden: true, width, alignRight: true, cell };
}

interface Props<Row> {
  /** For screen readers. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  idOf: (row: Row) => string;
  /** In px; all rows have the same height. */
  rowHeight?: number;
  /** Called near the last rows, to load more. */
  onEndReached?: () => void;
  /** Called with the first and the last rendered row. */
  onVisibleRange?: (first: number, last: number) => void;
}

/** The distance from the last row at which `onEndReached` is called. */
const END_MARGIN_ROWS = 60;

const visibleFrom = {
  sm: "hidden sm:flex",
  md: "hidden md:flex",
  lg: "hidden lg:flex",
  xl: "hidden xl:flex",
  "2xl": "hidden 2xl:flex",
};

export function Table<Row>({
  label,
  columns,
  rows: unsorted,
  idOf,
  rowHeight = 52,
  onEndReached,
  onVisibleRange,
}: Props<Row>) {
  const sort = useSort(columns, unsorted);
  const { rows } = sort;
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const box = body.current?.getBoundingClientRect();
    if (box) setTop(box.top + window.scrollY);
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    getItemKey: (n) => idOf(rows[n]!),
    overscan: 8,
    scrollMargin: top,
    useFlushSync: false, // fast scrolling may skip rows
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useLayoutEffect(() => onVisibleRange?.(first, last), [first, last, onVisibleRange]);
  useLayoutEffect(() => {
    if (onEndReached && last >= rows.length - END_MARGIN_ROWS) onEndReached();
  }, [last, rows.length, onEndReached]);
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
          <Cell
            key={column.title}
            column={column}
            role="columnheader"
            sorted={sort.directionOf(column)}
          >
            <Header column={column} sort={sort} />
          </Cell>
        ))}
      </div>
      {rows.length === 0 && <NoRows />}
      <div
        ref={body}
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

function NoRows() {
  return (
    <div role="rowgroup">
      <div role="row">
        <div role="cell" className="px-4 py-8 text-center text-muted">
          Nothing matches the filters
        </div>
      </div>
    </div>
  );
}

function Header<Row>({ column, sort }: { column: Column<Row>; sort: Sort<Row> }) {
  const { title, header, isTitleHidden, sortBy, alignRight } = column;
  if (header) return header;
  if (isTitleHidden) return <span className="sr-only">{title}</span>;
  if (!sortBy) return title;
  const direction = sort.directionOf(column);
  const Arrow = direction === "descending" ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      onClick={() => sort.toggle(column)}
      className={joinClasses(
        "group flex h-6 max-w-full min-w-6 cursor-pointer items-center gap-0.5 hover:text-text",
        alignRight && "ml-auto flex-row-reverse",
        direction && "text-text",
      )}
    >
      <span className="truncate">{title}</span>
      <Arrow
        aria-hidden
        className={joinClasses(
          "size-3 shrink-0",
          !direction && "opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60",
        )}
      />
    </button>
  );
}

interface RowProps<Row> {
  row: Row;
  index: number;
  columns: Column<Row>[];
  tracks: string;
  /** In px, as is its offset from the first row. */
  height: number;
  offset: number;
}

/** Cells render when their data changes, not when the row moves. */
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
  sorted?: "ascending" | "descending" | undefined;
  children: ReactNode;
}

function Cell<Row>({ column, role, sorted, children }: CellProps<Row>) {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: only column headers are sorted
    <div
      role={role}
      aria-sort={sorted}
      className={joinClasses(
        "min-w-0 items-center gap-2",
        column.minWidth ? visibleFrom[column.minWidth] : "flex",
        column.alignRight && "justify-end text-right",
      )}
    >
      <div className={joinClasses("min-w-0 truncate", !column.alignRight && "grow")}>
        {children}
      </div>
    </div>
  );
}

const widths = { sm: 640, md: 768, lg: 1024, xl: 1280, "2xl": 1536 };

/** The grid tracks of the visible columns. */
function useTracks<Row>(columns: Column<Row>[]): string {
  const [width, setWidth] = useState(window.innerWidth);
  useLayoutEffect(() => {
    const updateWidth = () => setWidth(window.innerWidth);
    window.addEventListener("resize", updateWidth);
    return () => window.removeEventListener("resize", updateWidth);
  }, []);
  const visibleColumns = columns.filter(({ minWidth }) => !minWidth || width >= widths[minWidth]);
  return visibleColumns.map((column) => column.width).join(" ");
}
