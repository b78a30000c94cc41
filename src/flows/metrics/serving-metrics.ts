// The metrics of requests to load-balancing endpoints through this process.

import Counter from "prom-client/lib/counter.js";
import Gauge from "prom-client/lib/gauge.js";
import Histogram from "prom-client/lib/histogram.js";
import type Registry from "prom-client/lib/registry.js";

/** Upper bounds in seconds; a model may stream for minutes. */
const BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300,
];

/** One request that ended. */
export interface ServedRequest {
  endpointId: string;
  /** Null if the connection ended before an answer. */
  status: number | null;
  /** From the arrival of the request to the last byte of its answer. */
  ms: number;
  /** To the head of its answer; null if there was none. */
  firstByteMs: number | null;
}

export class ServingMetrics {
  readonly #requests: Counter<"endpoint" | "status">;
  readonly #duration: Histogram<"endpoint">;
  readonly #firstByte: Histogram<"endpoint">;
  readonly #registry: Registry;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#registry = registry;
    this.#requests = new Counter({
      name: "freehold_lb_requests_total",
      help: "Requests to load-balancing endpoints that ended, by class of status; status aborted had no answer.",
      labelNames: ["endpoint", "status"],
      registers,
    });
    this.#duration = new Histogram({
      name: "freehold_lb_request_duration_seconds",
      help: "Duration of requests to load-balancing endpoints in seconds, from arrival to the last byte.",
      ...{ labelNames: ["endpoint"] as const, buckets: BUCKETS, registers },
    });
    this.#firstByte = new Histogram({
      name: "freehold_lb_first_byte_seconds",
      help: "Seconds from the arrival of a request to a load-balancing endpoint to the head of its answer.",
      ...{ labelNames: ["endpoint"] as const, buckets: BUCKETS, registers },
    });
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

  record({ endpointId, status, ms, firstByteMs }: ServedRequest): void {
    const endpoint = endpointId;
    const label = status === null ? "aborted" : `${Math.floor(status / 100)}xx`;
    this.#requests.inc({ endpoint, status: label });
    this.#duration.observe({ endpoint }, ms / 1_000);
    if (firstByteMs !== null) this.#firstByte.observe({ endpoint }, firstByteMs / 1_000);
  }
}
