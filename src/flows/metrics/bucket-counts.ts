// Observations of a histogram with constant buckets. Adding one costs a search in a short list; prom-client's own
// histogram checks and hashes the labels of each observation.

import type Registry from "prom-client/lib/registry.js";

type Labels = Record<string, string>;

/** What prom-client prints of a metric. */
interface Sample {
  metricName: string;
  labels: Record<string, string | number>;
  value: number;
}

export class BucketCounts {
  /** Upper bounds, ascending. */
  readonly #bounds: readonly number[];
  /** Observations in each bucket alone; the last one has no bound. */
  readonly #counts: number[];
  count = 0;
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array(bounds.length + 1).fill(0);
  }

  add(value: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket++;
    this.#counts[bucket]!++;
    this.count++;
    this.sum += value;
  }

  /** Buckets are cumulative. */
  samples(name: string, labels: Labels): Sample[] {
    let count = 0;
    const buckets = this.#counts.map((own, n) => {
      count += own;
      const le = this.#bounds[n] ?? "+Inf";
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
    });
    const sum = { metricName: `${name}_sum`, labels, value: this.sum };
    return [...buckets, sum, { metricName: `${name}_count`, labels, value: count }];
  }
}

/** Adds a histogram to the registry; `read` returns its labels and their counts. */
export function exportHistogram(
  registry: Registry,
  { name, help }: { name: string; help: string },
  read: () => Iterable<[Labels, BucketCounts]>,
): void {
  const get = async () => {
    const values = [...read()].flatMap(([labels, counts]) => counts.samples(name, labels));
    return { name, help, type: "histogram", values, aggregator: "sum" };
  };
  // The registry needs no more of a metric than this.
  registry.registerMetric({ name, get, reset: () => {} } as never);
}
