// How long ago something was, true for as long as it is shown.

import { useMemo, useSyncExternalStore } from "react";
import { duration } from "./units.ts";

const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  if (!timer) {
    now = Date.now(); // nobody has kept it since the last one went
    timer = setInterval(() => {
      now = Date.now();
      for (const each of watchers) each();
    }, 1_000);
  }
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

/** Drawn anew when its words change, not each second: a list has many. */
export function Ago({ at }: { at: string | number | null | undefined }) {
  const shown = useSyncExternalStore(watch, () => wordsOf(at));
  const [iso, full] = useMemo(() => {
    const instant = new Date(at ?? 0);
    return [instant.toISOString(), whole.format(instant)];
  }, [at]);
  if (at === null || at === undefined) return <span className="text-muted">never</span>;
  return (
    <time dateTime={iso} title={full}>
      {shown}
    </time>
  );
}

const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

function wordsOf(at: string | number | null | undefined): string {
  const passed = now - new Date(at ?? 0).getTime();
  return passed < 1_000 ? "now" : `${coarse(passed)} ago`;
}

/** Only its larger part. */
const coarse = (ms: number) =>
  ms < 10_000 ? `${Math.floor(ms / 1_000)} s` : duration(ms).split(" ").slice(0, 2).join(" ");

/** How long something has lasted, or lasts. */
export function Lasting({ since }: { since: string }) {
  const current = useNow();
  return <>{duration(Math.max(0, current - Date.parse(since)))}</>;
}
