// Simulated workers of the run: each takes jobs, streams, reports and pings with its jobs, and
// repeats posts without a response, as a careful worker does.

import { pauseMs } from "../fixtures/time/pace.ts";
import type { Connection } from "./connection.ts";
import type { Ledger } from "./ledger.ts";
import { chunkOf, type JobInput, outputOf, planned } from "./plan.ts";

export interface SimulatedWorker {
  id: string;
  key: string;
  endpointId: string;
}

const MOST_HELD = 4;
const PING_EVERY_MS = 200;

/** Works until the run is over. */
export async function play(
  connection: Connection,
  ledger: Ledger,
  worker: SimulatedWorker,
): Promise<void> {
  const held = new Map<string, Work>();
  const at = (operation: string) => `/v2/${worker.endpointId}/${operation}/${worker.id}`;
  const { key } = worker;
  void pingOn(connection, at("ping"), key, held);
  while (!connection.over) {
    if (held.size >= MOST_HELD) {
      await pauseMs(10);
      continue;
    }
    const busy = held.size > 0 ? 1 : 0;
    const query = `?job_in_progress=${busy}&batch_size=${MOST_HELD - held.size}`;
    const path = at("job-take-batch") + query;
    const answer = await connection.ask({ method: "GET", path, key });
    if (!answer) await connection.pauseBeforeRetry();
    if (answer?.status !== 200) continue;
    for (const job of JSON.parse(answer.text) as { id: string; input: JobInput }[]) {
      // A worker that gets a job again drops the earlier dispatch, because their chunks would mix.
      if (held.has(job.id)) ledger.retaken.add(job.id);
      held.get(job.id)?.leave();
      const work = new Work(connection, ledger, worker, job);
      held.set(job.id, work);
      void work.do().finally(() => held.get(job.id) === work && held.delete(job.id));
    }
  }
}

async function pingOn(connection: Connection, path: string, key: string, held: Map<string, Work>) {
  while (!connection.over) {
    const list = held.size > 0 ? `?job_id=${[...held.keys()].join(",")}` : "";
    await connection.ask({ method: "GET", path: path + list, key });
    await pauseMs(PING_EVERY_MS);
  }
}

/** One dispatch of a job. */
class Work {
  readonly #connection: Connection;
  readonly #ledger: Ledger;
  readonly #worker: SimulatedWorker;
  readonly #job: { id: string; input: JobInput };
  /** Identifies this dispatch of the job. */
  readonly #by: string;
  #left = false;

  constructor(
    connection: Connection,
    ledger: Ledger,
    worker: SimulatedWorker,
    job: { id: string; input: JobInput },
  ) {
    this.#connection = connection;
    this.#ledger = ledger;
    this.#worker = worker;
    this.#job = job;
    const times = (ledger.dispatched.get(job.id) ?? 0) + 1;
    ledger.dispatched.set(job.id, times);
    this.#by = `${worker.id}:${times}`;
  }

  /** Posts nothing more, and relies on no earlier post. */
  leave(): void {
    this.#left = true;
  }

  async do(): Promise<void> {
    const { id, input } = this.#job;
    await pauseMs(Math.random() * 20);
    for (let part = 0; part < planned(input.n).chunks; part++) {
      const body = `{"output":${chunkOf(input.n, this.#by, part)}}`;
      const chunkAnswer = await this.#post(
        `job-stream`,
        body,
        () => this.#ledger.repeated.chunks++,
      );
      if (chunkAnswer !== "ok") return;
      this.#ledger.chunks++;
    }
    const output = outputOf(input, this.#by);
    const resultAnswer = await this.#post(
      "job-done",
      `{"output":${output}}`,
      () => this.#ledger.repeated.results++,
    );
    if (resultAnswer !== "ok") return;
    this.#ledger.recorded.set(id, [...(this.#ledger.recorded.get(id) ?? []), output]);
  }

  /** The service's response: "ok" or "late"; null if the run ended first. */
  async #post(operation: string, body: string, again: () => void): Promise<string | null> {
    const { id, key, endpointId } = this.#worker;
    const path = `/v2/${endpointId}/${operation}/${id}/${this.#job.id}`;
    const ask = { method: "POST" as const, path, key, body };
    const answer = await this.#connection.insist(ask, again, () => this.#left);
    if (!answer) return null;
    if (answer.status !== 200) {
      const job = `job ${this.#job.input.n}`;
      this.#ledger.wrongs.push(`${operation} of ${job}: ${answer.status} ${answer.text}`);
      return null;
    }
    const { status } = JSON.parse(answer.text) as { status: string };
    if (status === "late") this.#ledger.repeated.late++;
    return status;
  }
}
