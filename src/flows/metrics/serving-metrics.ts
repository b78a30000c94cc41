// The metrics of requests to load-balancing endpoints through this process. A request only adds to plain numbers, which
// a scrape reads.

import Counter from "prom-client/lib/counter.js";
import Gauge from "prom-client/lib/gauge.js";
import type Registry from "prom-client/lib/registry.js";
import type { EndedRequest } from "../../domain/serving/answer-counts.ts";
import { BucketCounts, exportHistogram } from "./bucket-counts.ts";

/** Upper bounds in seconds; a model may stream for minutes. */
const BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300,
];

/** The limit of endpoints, as of the other metrics; beyond it, those without requests for longest are forgotten, as deleted ones are in time. */
const MAX_ENDPOINTS = 200;

/** The requests to one endpoint that ended. */
class EndpointCounts {
  /** The number of the last request, over all endpoints. */
  last = 0;
  /** Counts by the first digit of the status; 0 had no answer. */
  readonly byClass = new Array<number>(10).fill(0);
  readonly durations = new BucketCounts(BUCKETS);
  readonly firstBytes = new BucketCounts(BUCKETS);
}

export class ServingMetrics {
  readonly #endpoints = new Map<string, EndpointCounts>();
  readonly #registry: Registry;
  #requests = 0;

  constructor(registry: Registry) {
    this.#registry = registry;
    const endpoints = this.#endpoints;
    new Counter({
      name: "freehold_lb_requests_total",
      help: "Requests to load-balancing endpoints that ended, by class of status; status aborted had no answer.",
      labelNames: ["endpoint", "status"],
      registers: [registry],
      collect() {
        this.reset();
        for (const [endpoint, { byClass }] of endpoints) {
          for (const [digit, count] of byClass.entries()) {
            const status = digit === 0 ? "aborted" : `${digit}xx`;
            if (count > 0) this.inc({ endpoint, status }, count);
          }
        }
      },
    });
    this.#exportHistogram(
      "freehold_lb_request_duration_seconds",
      "Duration of requests to load-balancing endpoints in seconds, from arrival to the last byte.",
      ({ durations }) => durations,
    );
    this.#exportHistogram(
      "freehold_lb_first_byte_seconds",
      "Seconds from the arrival of a request to a load-balancing endpoint to the head of its answer.",
      ({ firstBytes }) => firstBytes,
    );
  }

  /** Also exports the requests in flight as `read` returns them. */
  exportInFlight(
    read: () => Iterable<{ endpointId: string; workerId: string; requests: number }>,
  ): void {
    new Gauge({
      name: "freehold_lb_requests_in_flight",
      help: "Requests to load-balancing endpoints in this process: sent to a worker, or held until one is ready.",
      labelNames: ["endpoint", "state"],
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const { endpointId, workerId, requests } of read()) {
          this.inc({ endpoint: endpointId, state: workerId === "" ? "held" : "sent" }, requests);
        }
      },
    });
  }

  record(endpointId: string, { status, ms, firstByteMs }: EndedRequest): void {
    let counts = this.#endpoints.get(endpointId);
    if (!counts) {
      if (this.#endpoints.size >= MAX_ENDPOINTS) this.#forgetQuietest();
      counts = new EndpointCounts();
      this.#endpoints.set(endpointId, counts);
    }
    counts.last = ++this.#requests;
    counts.byClass[status === null ? 0 : Math.floor(status / 100)]!++;
    counts.durations.add(ms / 1_000);
    if (firstByteMs !== null) counts.firstBytes.add(firstByteMs / 1_000);
  }

  #forgetQuietest(): void {
    const [quietest] = [...this.#endpoints].reduce((a, b) => (a[1].last < b[1].last ? a : b));
    this.#endpoints.delete(quietest);
  }

  #exportHistogram(
    name: string,
    help: string,
    countsOf: (endpoint: EndpointCounts) => BucketCounts,
  ): void {
    exportHistogram(this.#registry, { name, help }, () =>
      [...this.#endpoints].map(([endpoint, counts]) => [{ endpoint }, countsOf(counts)]),
    );
  }
}
