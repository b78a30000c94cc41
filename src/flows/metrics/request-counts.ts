// Counts of HTTP requests by method, route and class of status.

import { BucketCounts } from "./bucket-counts.ts";

/** Upper bounds in seconds. Long polls are held for minutes, so they go further than is usual. */
const BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120,
];

export const REQUEST_LABELS = ["method", "route", "status"] as const;
type RequestLabels = Record<(typeof REQUEST_LABELS)[number], string>;

export class RequestCounts {
  /** Counts by route, method and first digit of the status: one key of all three would be a new string at each request. */
  readonly #routes = new Map<string, Map<string, (BucketCounts | undefined)[]>>();

  add(method: string, route: string, statusCode: number, seconds: number): void {
    const byClass = this.#routes.get(route)?.get(method) ?? this.#addMethod(method, route);
    const digit = Math.floor(statusCode / 100);
    byClass[digit] ??= new BucketCounts(BUCKETS);
    byClass[digit].add(seconds);
  }

  *[Symbol.iterator](): Generator<[RequestLabels, BucketCounts]> {
    for (const [route, methods] of this.#routes) {
      for (const [method, byClass] of methods) {
        for (const [digit, counts] of byClass.entries()) {
          if (counts) yield [{ method, route, status: `${digit}xx` }, counts];
        }
      }
    }
  }

  #addMethod(method: string, route: string): (BucketCounts | undefined)[] {
    const byClass: (BucketCounts | undefined)[] = [];
    const methods = this.#routes.get(route) ?? new Map();
    this.#routes.set(route, methods.set(method, byClass));
    return byClass;
  }
}
