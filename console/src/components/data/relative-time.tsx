// Times: relative to now and kept current, or absolute.

import { useMemo, useSyncExternalStore } from "react";
import { onClockMove, serviceNow } from "../../service-clock.ts";
import { MINUTE_MS } from "../../time-units.ts";
import { formatDateTime, formatExactTime } from "../format/time.ts";
import { formatDuration } from "../format/units.ts";
import type { Column } from "./table.tsx";

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = serviceNow();

function tick(): void {
  now = serviceNow();
  for (const each of listeners) each();
}

onClockMove(tick);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!timer) {
    now = serviceNow(); // stale since the last listener left
    timer = setInterval(tick, 1_000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The current second of the service's clock, in ms since the epoch. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** The current minute of the service's clock, in ms since the epoch. Renders once a minute. */
export function useMinute(): number {
  return useSyncExternalStore(subscribe, () => now - (now % MINUTE_MS));
}

/** Renders when its text changes, not every second: a list has many. */
export function RelativeTime({ at }: { at: string | number | null | undefined }) {
  const text = useSyncExternalStore(subscribe, () => relativeText(at));
  const [iso, full] = useMemo(() => {
    return [new Date(at ?? 0).toISOString(), formatExactTime(at ?? 0)];
  }, [at]);
  if (at === null || at === undefined) return <span className="text-muted">Never</span>;
  return (
    <time dateTime={iso} title={full}>
      {text}
    </time>
  );
}

function relativeText(at: string | number | null | undefined): string {
  const elapsedMs = now - new Date(at ?? 0).getTime();
  return elapsedMs < 1_000 ? "now" : `${formatCoarse(elapsedMs)} ago`;
}

/** The larger unit only. */
const formatCoarse = (ms: number) =>
  ms < 10_000 ? `${Math.floor(ms / 1_000)} s` : formatDuration(ms).split(" ").slice(0, 2).join(" ");

/** "2026-11-22 14:05", with seconds and time zone on hover. */
export function AbsoluteTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {formatDateTime(at)}
    </time>
  );
}

/** An instant of each row, such as its creation. */
export function timeColumn<Row>(
  title: string,
  at: (row: Row) => string | undefined,
  minWidth?: Column<Row>["minWidth"],
): Column<Row> {
  return {
    title,
    sortBy: at,
    width: "6.5rem",
    alignRight: true,
    ...(minWidth && { minWidth }),
    cell: (row) => <RelativeTime at={at(row)} />,
  };
}
