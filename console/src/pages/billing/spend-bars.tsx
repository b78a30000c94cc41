// What was spent in each bucket, as a bar; the table below says the same to who cannot see it.

import { dollars } from "../../parts/units.ts";
import type { Bucket, Spend } from "./use-spending.ts";

const MOST_SERIES = 4;
const colours = ["bg-series-1", "bg-series-2", "bg-series-3", "bg-series-4", "bg-series-5"];

export function SpendBars({ spends, bucket }: { spends: Spend[]; bucket: Bucket }) {
  const names = largest(spends);
  const bars = barsOf(spends, names, bucket);
  const most = Math.max(...bars.map(({ total }) => total));
  const legend = bars.some(({ parts }) => parts.at(-1)!.amount > 0) ? [...names, "Others"] : names;
  return (
    <div aria-hidden>
      <div className="flex h-44 items-end gap-px border-b border-line sm:gap-1">
        {bars.map(({ time, total, parts }) => (
          <div
            key={time}
            title={`${shown(time, bucket)}: ${dollars(total)}`}
            className="flex h-full min-w-0 flex-1 flex-col-reverse rounded-sm hover:bg-sunken"
          >
            {parts.map(({ name, amount }, n) => (
              <div
                key={name}
                className={colours[n]}
                style={{ height: most > 0 ? `${(100 * amount) / most}%` : 0 }}
              />
            ))}
          </div>
        ))}
      </div>
      <div className="mt-1.5 flex justify-between text-xs text-muted">
        <span>{shown(bars[0]!.time, bucket)}</span>
        <span>up to {dollars(most)}</span>
        <span>{shown(bars.at(-1)!.time, bucket)}</span>
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {legend.map((name, n) => (
          <li key={name} className="flex items-center gap-1.5">
            <span className={`size-2.5 rounded-sm ${colours[n === names.length ? 4 : n]}`} />
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}

function largest(spends: Spend[]): string[] {
  const sums = new Map<string, number>();
  for (const { on, amount } of spends) sums.set(on, (sums.get(on) ?? 0) + amount);
  const sorted = [...sums].sort(([, a], [, b]) => b - a);
  return sorted.slice(0, MOST_SERIES).map(([on]) => on);
}

/** Empty buckets between are bars as well. */
function barsOf(spends: Spend[], names: string[], bucket: Bucket) {
  const byTime = Map.groupBy(spends, ({ time }) => Date.parse(time));
  const times = [...byTime.keys()].sort((a, b) => a - b);
  return filled(times, bucket).map((at) => {
    const here = byTime.get(at) ?? [];
    const of = (fits: (on: string) => boolean) =>
      here.reduce((sum, { on, amount }) => sum + (fits(on) ? amount : 0), 0);
    const parts = names.map((name) => ({ name, amount: of((on) => on === name) }));
    const padding = Array.from({ length: MOST_SERIES - names.length }, (_, n) => {
      return { name: `none ${n}`, amount: 0 };
    });
    const others = { name: "Others", amount: of((on) => !names.includes(on)) };
    return {
      time: new Date(at).toISOString(),
      total: of(() => true),
      parts: [...parts, ...padding, others],
    };
  });
}

const steps: Record<Exclude<Bucket, "month">, number> = {
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};

function filled(times: number[], bucket: Bucket): number[] {
  const [first = 0] = times;
  const last = times.at(-1) ?? first;
  const all: number[] = [];
  for (let at = first; at <= last; at = next(at, bucket)) all.push(at);
  return all;
}

function next(at: number, bucket: Bucket): number {
  if (bucket !== "month") return at + steps[bucket];
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

function shown(time: string, bucket: Bucket): string {
  const date = new Date(time);
  const day = { timeZone: "UTC", month: "short", day: "numeric" } as const;
  if (bucket === "hour") {
    return date.toLocaleString("en", { ...day, hour: "2-digit", minute: "2-digit", hour12: false });
  }
  if (bucket === "month") {
    return date.toLocaleDateString("en", { timeZone: "UTC", month: "short", year: "numeric" });
  }
  return date.toLocaleDateString("en", day);
}
