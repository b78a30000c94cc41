// How long ago something was, true for as long as it is shown.

import { useSyncExternalStore } from "react";
import { duration } from "./units.ts";

const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of watchers) each();
  }, 1_000);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** This second, in ms since the epoch. */
export function useNow(): number {
  return useSyncExternalStore(watch, () => now);
}

export function Ago({ at }: { at: string | number | null | undefined }) {
  const current = useNow();
  if (at === null || at === undefined) return <span className="text-muted">never</span>;
  const instant = new Date(at);
  const passed = Math.max(0, current - instant.getTime());
  const shown = passed < 1_000 ? "now" : `${coarse(passed)} ago`;
  return (
    <time dateTime={instant.toISOString()} title={instant.toLocaleString()}>
      {shown}
    </time>
  );
}

/** Only its larger part. */
const coarse = (ms: number) =>
  duration(ms - (ms % 1_000))
    .split(" ")
    .slice(0, 2)
    .join(" ");

/** How long something has lasted, or lasts. */
export function Lasting({ since }: { since: string }) {
  const current = useNow();
  return <>{duration(Math.max(0, current - Date.parse(since)))}</>;
}
