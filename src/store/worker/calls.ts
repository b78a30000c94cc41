// What workers' calls show, and when jobs left them. A batch collects both and writes each worker once, with the
// commit, so that replicas do not wait for each other's row locks.

import { type Accumulator, accumulate } from "../engine/accumulator.ts";
import { change, type Tx } from "../engine/statement.ts";
import { severalAtOnce } from "../engine/text/several.ts";

/** What a worker's own call showed. A field that is undefined or false changes nothing. */
export interface WorkerCall {
  ready?: boolean;
  tookJob?: boolean;
  pingVersion?: string | null;
  polledIdle?: boolean;
  stopPolled?: boolean;
}

type WorkerEntry =
  | { workerId: string; at: number; call: WorkerCall }
  | { workerId: string; at: number; served: number };

interface Release {
  at: number;
  served: number;
}

interface ShownCall {
  at: number;
  call: WorkerCall;
}

class WorkerChanges implements Accumulator<WorkerEntry> {
  readonly #releases = new Map<string, Release>();
  readonly #calls = new Map<string, ShownCall>();

  add(entry: WorkerEntry): void {
    const { workerId, at } = entry;
    if ("call" in entry) {
      const call = { ...this.#calls.get(workerId)?.call, ...shownIn(entry.call) };
      this.#calls.set(workerId, { at, call });
    } else {
      const served = (this.#releases.get(workerId)?.served ?? 0) + entry.served;
      this.#releases.set(workerId, { at, served });
    }
  }

  writes(): Tx<unknown>[] {
    const ids = [...new Set([...this.#releases.keys(), ...this.#calls.keys()])].sort();
    return ids.map((id) => write(id, this.#releases.get(id), this.#calls.get(id)));
  }

  topics(): Iterable<string> {
    return [];
  }
}

/** Written last, as its name sorts last: transactions change rows of workers too. */
const workerChanges = { name: "worker changes", create: () => new WorkerChanges() };

/** Records a worker's call at the instant `at`. */
export function* recordWorkerCall(workerId: string, at: number, call: WorkerCall): Tx<void> {
  yield* accumulate(workerChanges, { workerId, at, call });
}

/** Records that jobs or requests left a worker. `served` is how many of them it finished itself. */
export function* recordWorkerFreed(workerId: string, at: number, served: number): Tx<void> {
  yield* accumulate(workerChanges, { workerId, at, served });
}

/** One statement for both, so that each worker's row is locked once, and in order. */
const WRITE = severalAtOnce(
  `update worker set freed_at = coalesce(?, freed_at), served = served + ?, seen_at = coalesce(?, seen_at),
     ready_at = case when serving is null then coalesce(ready_at, ?) else ready_at end,
     first_job_at = coalesce(first_job_at, ?),
     pinged_at = coalesce(?, pinged_at), ping_version = coalesce(?, ping_version),
     polled_idle_at = coalesce(?, polled_idle_at), stop_polled_at = coalesce(?, stop_polled_at)
   where id = ?`,
  [
    ...(["bigint", "bigint", "bigint", "bigint", "bigint"] as const),
    ...(["bigint", "text", "bigint", "bigint", "text"] as const),
  ],
);

function write(id: string, release?: Release, shown?: ShownCall): Tx<unknown> {
  const at = shown?.at ?? null;
  const call = shown?.call ?? {};
  return change(
    WRITE,
    release?.at ?? null,
    release?.served ?? 0,
    at,
    call.ready ? at : null,
    call.tookJob ? at : null,
    call.pingVersion !== undefined ? at : null,
    call.pingVersion ?? null,
    call.polledIdle ? at : null,
    call.stopPolled ? at : null,
    id,
  );
}

/** The fields that show something: a later call must not undo what an earlier one showed. */
function shownIn(call: WorkerCall): WorkerCall {
  return Object.fromEntries(
    Object.entries(call).filter(([, value]) => value !== undefined && value !== false),
  );
}
