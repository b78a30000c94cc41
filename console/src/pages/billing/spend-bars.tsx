// Spending per bucket as bars. The table below has the same data for screen readers.

import { formatUtcDateTime } from "../../components/format/time.ts";
import { formatDollars } from "../../components/format/units.ts";
import type { Bucket, Spend } from "./use-spending.ts";

const MAX_SERIES = 4;
const colors = ["bg-series-1", "bg-series-2", "bg-series-3", "bg-series-4", "bg-series-5"];

export function SpendBars({ spends, bucket }: { spends: Spend[]; bucket: Bucket }) {
  const names = largestNames(spends);
  const bars = barsOf(spends, names, bucket);
  const peak = Math.max(...bars.map(({ total }) => total));
  const legend = bars.some(({ parts }) => parts.at(-1)!.amount > 0) ? [...names, "Other"] : names;
  return (
    <div aria-hidden>
      <div className="flex h-44 items-end gap-px border-b border-line sm:gap-1">
        {bars.map(({ time, total, parts }) => (
          <div
            key={time}
            title={`${formatBucket(time, bucket)}: ${formatDollars(total)}`}
            className="flex h-full min-w-0 flex-1 flex-col-reverse rounded-sm hover:bg-sunken"
          >
            {parts.map(({ name, amount }, n) => (
              <div
                key={name}
                className={colors[n]}
                style={{ height: peak > 0 ? `${(100 * amount) / peak}%` : 0 }}
              />
            ))}
          </div>
        ))}
      </div>
      <div className="mt-1.5 flex justify-between text-xs text-muted">
        <span>{formatBucket(bars[0]!.time, bucket)}</span>
        <span>peak {formatDollars(peak)}</span>
        <span>{formatBucket(bars.at(-1)!.time, bucket)}</span>
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {legend.map((name, n) => (
          <li key={name} className="flex items-center gap-1.5">
            <span className={`size-2.5 rounded-sm ${colors[n === names.length ? 4 : n]}`} />
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}

function largestNames(spends: Spend[]): string[] {
  const sums = new Map<string, number>();
  for (const { name, amount } of spends) sums.set(name, (sums.get(name) ?? 0) + amount);
  const sorted = [...sums].sort(([, a], [, b]) => b - a);
  return sorted.slice(0, MAX_SERIES).map(([name]) => name);
}

/** Includes the empty buckets in between. */
function barsOf(spends: Spend[], names: string[], bucket: Bucket) {
  const byTime = Map.groupBy(spends, ({ time }) => Date.parse(time));
  const times = [...byTime.keys()].sort((a, b) => a - b);
  return bucketTimes(times, bucket).map((at) => {
    const bucketSpends = byTime.get(at) ?? [];
    const sumOf = (includes: (name: string) => boolean) =>
      bucketSpends.reduce((sum, { name, amount }) => sum + (includes(name) ? amount : 0), 0);
    const parts = names.map((name) => ({ name, amount: sumOf((each) => each === name) }));
    const padding = Array.from({ length: MAX_SERIES - names.length }, (_, n) => {
      return { name: `none ${n}`, amount: 0 };
    });
    const others = { name: "Other", amount: sumOf((name) => !names.includes(name)) };
    return {
      time: new Date(at).toISOString(),
      total: sumOf(() => true),
      parts: [...parts, ...padding, others],
    };
  });
}

const steps: Record<Exclude<Bucket, "month">, number> = {
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};

function bucketTimes(times: number[], bucket: Bucket): number[] {
  const [first = 0] = times;
  const last = times.at(-1) ?? first;
  const all: number[] = [];
  for (let at = first; at <= last; at = nextBucket(at, bucket)) all.push(at);
  return all;
}

function nextBucket(at: number, bucket: Bucket): number {
  if (bucket !== "month") return at + steps[bucket];
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

function formatBucket(time: string, bucket: Bucket): string {
  const text = formatUtcDateTime(time);
  if (bucket === "hour") return text;
  return text.slice(0, bucket === "month" ? "2026-11".length : "2026-11-22".length);
}
