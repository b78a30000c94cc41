// An endpoint of a test: its jobs, and what its workers printed.

import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "./client.ts";

/** A job as the queue shows it. */
export interface TestJob {
  id: string;
  status: string;
  output?: unknown;
  error?: string;
}

export interface RunsyncOptions {
  /** How long to wait; 90,000 by default. */
  timeoutMs?: number;
  /** False to return a job without success in place of rejecting. */
  check?: boolean;
}

export interface Explanation {
  code: string;
  sentence: string;
  next: string | null;
}

/** A job without success. */
export class JobFailed extends Error {
  /** Its last answer. */
  readonly job: TestJob;

  constructor(message: string, job: TestJob) {
    super(message);
    this.name = "JobFailed";
    this.job = job;
  }
}

const POLL_MS = 100;
const WHY_MS = 1_000;
const LOG_LINES = 60;
const ENDS = new Set(["COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"]);

export class Endpoint {
  readonly id: string;
  readonly url: string;
  readonly #client: Client;
  readonly #templateId: string;

  constructor(client: Client, id: string, templateId: string) {
    this.id = id;
    this.url = `${client.url}/v2/${id}`;
    this.#client = client;
    this.#templateId = templateId;
  }

  /** Submits a job. */
  async run(input: unknown): Promise<TestJob> {
    return (await this.#client.call("POST", `/v2/${this.id}/run`, { input })) as TestJob;
  }

  /**
   * Submits a job and waits for it. Rejects with JobFailed, which has the handler's stack, for a job without
   * success, and with the worker's log if the workers end again and again or the time is over.
   */
  async runsync(input: unknown, options: RunsyncOptions = {}): Promise<TestJob> {
    const { timeoutMs = 90_000, check = true } = options;
    const { id } = await this.run(input);
    const deadline = performance.now() + timeoutMs;
    let whyAt = performance.now() + WHY_MS;
    for (;;) {
      const job = await this.status(id);
      if (ENDS.has(job.status)) {
        if (!check || job.status === "COMPLETED") return job;
        throw new JobFailed(`job ${id} ${job.status}: ${errorText(job.error)}`, job);
      }
      const now = performance.now();
      if (now > deadline) {
        const sentence = `job ${id} is ${job.status} after ${timeoutMs / 1_000} s`;
        throw new JobFailed(`${sentence}\n${await this.#diagnosis()}`, job);
      }
      if (now > whyAt) {
        if ((await this.why()).code === "crash_loop") {
          throw new JobFailed(`job ${id} has no worker\n${await this.#diagnosis()}`, job);
        }
        whyAt = now + WHY_MS;
      }
      await sleep(POLL_MS);
    }
  }

  /** The job as it is now. */
  async status(jobId: string): Promise<TestJob> {
    return (await this.#client.call("GET", `/v2/${this.id}/status/${jobId}`)) as TestJob;
  }

  /** Why the endpoint is as it is. */
  async why(): Promise<Explanation> {
    return (await this.#client.call("GET", `/v1/why/${this.id}`)) as Explanation;
  }

  /** What its workers printed last, those that ended included. */
  async log(): Promise<string> {
    const list = `/v1/endpoints/${this.id}/workers?ended=2`;
    const workers = (await this.#client.call("GET", list)) as { id: string; phase: string }[];
    const logs = workers.map(async ({ id, phase }) => {
      const route = `/v1/workers/${id}/logs?tail=${LOG_LINES}`;
      const lines = (await this.#client.call("GET", route)) as { text: string }[];
      return [`-- ${id}, ${phase}`, ...lines.map(({ text }) => text)].join("\n");
    });
    return (await Promise.all(logs)).join("\n");
  }

  /** Ends the workers, and deletes the endpoint. */
  async delete(): Promise<void> {
    await this.#client.call("DELETE", `/v1/endpoints/${this.id}`);
    await this.#client.call("DELETE", `/v1/templates/${this.#templateId}`);
  }

  async #diagnosis(): Promise<string> {
    const { sentence, next } = await this.why();
    return [sentence, next, await this.log()].filter(Boolean).join("\n");
  }
}

/** Workers report an exception as JSON with its stack. */
function errorText(error: string | undefined): string {
  try {
    const report = JSON.parse(error ?? "");
    return report.error_traceback ?? report.error_message ?? error;
  } catch {
    return error ?? "without an error";
  }
}
