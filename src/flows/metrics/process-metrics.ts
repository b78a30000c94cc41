// The metrics that this process records as it works: HTTP requests, loop passes, store commits and jobs.

import Counter from "prom-client/lib/counter.js";
import Gauge from "prom-client/lib/gauge.js";
import Registry from "prom-client/lib/registry.js";
import type { RunOutcome } from "../../domain/schedule/schedule.ts";
import type { BatchFigures, CommitCounts, JobDuration } from "../../store/engine/commit-counts.ts";
import { BucketCounts, exportHistogram } from "./bucket-counts.ts";
import { REQUEST_LABELS, RequestCounts } from "./request-counts.ts";

/** Upper bounds in seconds. */
const JOB_BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600,
  7_200,
];
const DISPATCH_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const COMMIT_BUCKETS = [0.0005, ...DISPATCH_BUCKETS];

export class ProcessMetrics {
  readonly registry = new Registry();
  readonly #requests = new RequestCounts();
  readonly #queueWait = this.#histogram(
    "job_queue_wait_seconds",
    "Seconds that jobs waited in the queue before a worker took them.",
    JOB_BUCKETS,
  );
  readonly #dispatch = this.#histogram(
    "job_dispatch_seconds",
    "Seconds from when a job was queued and a worker asked for one to when the worker got it.",
    DISPATCH_BUCKETS,
  );
  readonly #execution = this.#histogram(
    "job_execution_seconds",
    "Seconds from when a worker took a job to when its result was stored.",
    JOB_BUCKETS,
  );
  readonly #commit = this.#histogram(
    "store_commit_seconds",
    "Duration of store transactions in seconds, syncs included.",
    COMMIT_BUCKETS,
  );
  readonly #passes = this.#counter("loop_turns_total", {
    help: "Loop passes since the service started.",
    labelNames: ["loop"],
  });
  readonly #passErrors = this.#counter("loop_errors_total", {
    help: "Loop passes that failed since the service started.",
    labelNames: ["loop"],
  });
  readonly #passSeconds = this.#counter("loop_seconds_total", {
    help: "Seconds spent in loop passes since the service started.",
    labelNames: ["loop"],
  });
  readonly #scheduleRuns = this.#counter("schedule_runs_total", {
    help: "Runs of schedules since the service started.",
    labelNames: ["outcome"],
  });
  readonly #succeededAt = new Gauge({
    name: "freehold_loop_succeeded_at_seconds",
    help: "Unix time at which the loop's last successful pass ended.",
    labelNames: ["loop"],
    registers: [this.registry],
  });

  /** Also exports what the store counts of its commits. */
  constructor(commits: CommitCounts) {
    commits.observer = this;
    this.#exportRequests();
    this.#commitTotal("store_turns_total", "Store transactions since the service started.", () => {
      return commits.batches;
    });
    this.#commitTotal(
      "store_turns_failed_total",
      "Store transactions that failed since the service started.",
      () => commits.failed,
    );
    this.#commitTotal(
      "store_calls_total",
      "Calls that shared the store's transactions since the service started.",
      () => commits.calls,
    );
    this.#commitTotal(
      "store_rounds_total",
      "Database round trips of store transactions since the service started; 0 on SQLite.",
      () => commits.roundTrips,
    );
    this.#commitTotal(
      "store_turn_seconds_total",
      "Seconds spent on store transactions since the service started, syncs included.",
      () => commits.seconds,
    );
  }

  exportBodyBytes(read: () => Record<"clients" | "workers", number>): void {
    new Gauge({
      name: "freehold_request_body_bytes",
      help: "Bytes of large request bodies that are held in memory.",
      labelNames: ["from"],
      registers: [this.registry],
      collect() {
        for (const [from, bytes] of Object.entries(read())) this.set({ from }, bytes);
      },
    });
  }

  exportDiskFull(isFull: () => boolean): void {
    new Gauge({
      name: "freehold_store_disk_full",
      help: "1 while the store's disk is full and new jobs are refused.",
      registers: [this.registry],
      collect() {
        this.set(isFull() ? 1 : 0);
      },
    });
  }

  /** `served` is the certificate of the moment. */
  exportCertificate(served: { certificate: { endsAt: number } }, failedOrders: () => number): void {
    new Gauge({
      name: "freehold_tls_certificate_expires_at_seconds",
      help: "Unix time at which the TLS certificate that is served ends.",
      registers: [this.registry],
      collect() {
        this.set(served.certificate.endsAt / 1_000);
      },
    });
    new Gauge({
      name: "freehold_tls_certificate_failed_orders",
      help: "Orders at the ACME server that failed in a row; 0 after one that succeeded.",
      registers: [this.registry],
      collect() {
        this.set(failedOrders());
      },
    });
  }

  /** `route` is the route's template, not the request's path: its values are bounded. */
  recordRequest(method: string, route: string, statusCode: number, ms: number): void {
    this.#requests.add(method, route, statusCode, ms / 1_000);
  }

  recordScheduleRun(outcome: RunOutcome): void {
    this.#scheduleRuns.inc({ outcome });
  }

  recordPass(loop: string, ms: number, endedAt: number, hasFailed: boolean): void {
    const labels = { loop };
    this.#passes.inc(labels);
    this.#passErrors.inc(labels, hasFailed ? 1 : 0);
    this.#passSeconds.inc(labels, Math.max(0, ms) / 1_000);
    if (!hasFailed) this.#succeededAt.set(labels, endedAt / 1_000);
  }

  recordCommit({ ms }: BatchFigures): void {
    this.#commit.add(ms / 1_000);
  }

  recordDuration({ kind, ms }: JobDuration): void {
    const histogram = kind === "delay" ? this.#queueWait : this.#execution;
    histogram.add(Math.max(0, ms) / 1_000);
  }

  recordDispatch(ms: number): void {
    this.#dispatch.add(Math.max(0, ms) / 1_000);
  }

  #counter<Label extends string>(name: string, config: MetricConfig<Label>): Counter<Label> {
    return new Counter({ ...config, name: `freehold_${name}`, registers: [this.registry] });
  }

  #histogram(name: string, help: string, bounds: readonly number[]): BucketCounts {
    const counts = new BucketCounts(bounds);
    exportHistogram(this.registry, { name: `freehold_${name}`, help }, () => [[{}, counts]]);
    return counts;
  }

  #exportRequests(): void {
    exportHistogram(
      this.registry,
      {
        name: "freehold_http_request_duration_seconds",
        help: "Duration of HTTP requests in seconds, held polls included.",
      },
      () => this.#requests,
    );
    this.#requestTotal(
      "http_requests_total",
      "HTTP requests answered since the service started.",
      ({ count }) => count,
    );
    this.#requestTotal(
      "http_seconds_total",
      "Seconds spent on HTTP requests since the service started, held polls included.",
      ({ sum }) => sum,
    );
  }

  #requestTotal(name: string, help: string, read: (counts: BucketCounts) => number): void {
    const requests = this.#requests;
    new Counter({
      name: `freehold_${name}`,
      help,
      labelNames: REQUEST_LABELS,
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [labels, counts] of requests) this.inc(labels, read(counts));
      },
    });
  }

  #commitTotal(name: string, help: string, read: () => number): void {
    new Counter({
      name: `freehold_${name}`,
      help,
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
}

interface MetricConfig<Label extends string> {
  help: string;
  labelNames?: readonly Label[];
}
