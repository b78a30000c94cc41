// Spending per bucket as bars over the whole range. The table below has the same data for screen readers.

import { formatDollars } from "../../components/format/units.ts";
import { serviceNow } from "../../service-clock.ts";
import { bucketTimes, formatBucket, ticksUpTo } from "./bar-scale.ts";
import { type Bucket, type Spend, startOf } from "./use-spending.ts";

const MAX_SERIES = 4;
const colors = ["bg-series-1", "bg-series-2", "bg-series-3", "bg-series-4", "bg-series-5"];

interface Props {
  spends: Spend[];
  bucket: Bucket;
  /** The limit per bucket; null for none. */
  limit: number | null;
}

export function SpendBars({ spends, bucket, limit }: Props) {
  const names = largestNames(spends);
  const bars = barsOf(spends, names, bucket);
  const peak = Math.max(...bars.map(({ total }) => total));
  // A limit far above the bars would flatten them.
  const visibleLimit = limit !== null && limit <= 4 * peak ? limit : null;
  const ticks = ticksUpTo(Math.max(peak, visibleLimit ?? 0));
  const top = ticks.at(-1)!;
  const hasOthers = bars.some(({ parts }) => parts.at(-1)!.amount > 0);
  return (
    <div aria-hidden>
      <div className="flex gap-2">
        <div className="relative h-48 w-14 shrink-0 text-right text-xs text-muted">
          {ticks.map((tick) => (
            <span
              key={tick}
              className="absolute right-0 translate-y-1/2"
              style={{ bottom: `${(100 * tick) / top}%` }}
            >
              {formatDollars(tick)}
            </span>
          ))}
        </div>
        <div className="relative h-48 min-w-0 flex-1">
          {ticks.map((tick) => (
            <div
              key={tick}
              className="absolute inset-x-0 border-t border-line"
              style={{ bottom: `${(100 * tick) / top}%` }}
            />
          ))}
          <Bars bars={bars} top={top} bucket={bucket} />
          {visibleLimit !== null && (
            <div
              className="absolute inset-x-0 border-t-2 border-dashed border-bad"
              style={{ bottom: `${(100 * visibleLimit) / top}%` }}
            />
          )}
        </div>
      </div>
      <TimeAxis times={bars.map(({ at }) => at)} bucket={bucket} />
      <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {(hasOthers ? [...names, "Other"] : names).map((name, n) => (
          <li key={name} className="flex items-center gap-1.5">
            <span className={`size-2.5 rounded-sm ${colors[n === names.length ? 4 : n]}`} />
            {name}
          </li>
        ))}
        {limit !== null && (
          <li className="flex items-center gap-1.5">
            <span className="w-3 border-t-2 border-dashed border-bad" />
            Budget, {formatDollars(limit)} per {bucket}
            {visibleLimit === null && " (above the scale)"}
          </li>
        )}
      </ul>
    </div>
  );
}

function Bars({ bars, top, bucket }: { bars: Bar[]; top: number; bucket: Bucket }) {
  return (
    <div className="absolute inset-0 flex items-end gap-px sm:gap-1">
      {bars.map(({ at, total, parts }) => (
        <div
          key={at}
          title={`${formatBucket(at, bucket)}: ${formatDollars(total)}`}
          className="flex h-full min-w-0 flex-1 flex-col-reverse rounded-sm hover:bg-sunken/60"
        >
          {parts.map(({ name, amount }, n) => (
            <div
              key={name}
              className={colors[n === parts.length - 1 ? 4 : n]}
              style={{ height: `${(100 * amount) / top}%` }}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

/** The first, the middle and the last bucket. */
function TimeAxis({ times, bucket }: { times: number[]; bucket: Bucket }) {
  const shown = [times[0]!, times[Math.floor((times.length - 1) / 2)]!, times.at(-1)!];
  return (
    <div className="mt-1.5 ml-16 flex justify-between text-xs text-muted">
      {[...new Set(shown)].map((at) => (
        <span key={at}>{formatBucket(at, bucket)}</span>
      ))}
    </div>
  );
}

interface Bar {
  at: number;
  total: number;
  /** The largest names, and others last. */
  parts: { name: string; amount: number }[];
}

function largestNames(spends: Spend[]): string[] {
  const sums = new Map<string, number>();
  for (const { name, amount } of spends) sums.set(name, (sums.get(name) ?? 0) + amount);
  const sorted = [...sums].sort(([, a], [, b]) => b - a);
  return sorted.slice(0, MAX_SERIES).map(([name]) => name);
}

/** One bar per bucket of the range, also where nothing was spent. */
function barsOf(spends: Spend[], names: string[], bucket: Bucket): Bar[] {
  const byTime = Map.groupBy(spends, ({ time }) => Date.parse(time));
  return bucketTimes(Date.parse(startOf(bucket)), serviceNow(), bucket).map((at) => {
    const here = byTime.get(at) ?? [];
    const sumOf = (includes: (name: string) => boolean) =>
      here.reduce((sum, { name, amount }) => sum + (includes(name) ? amount : 0), 0);
    const parts = names.map((name) => ({ name, amount: sumOf((each) => each === name) }));
    const others = { name: "Other", amount: sumOf((name) => !names.includes(name)) };
    return { at, total: sumOf(() => true), parts: [...parts, others] };
  });
}
