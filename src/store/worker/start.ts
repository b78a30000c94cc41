// The start of a worker: its steps, that it runs, and that it is ready.

import type { StartedWorker } from "../../domain/spans/worker-spans.ts";
import type { StartStep } from "../../domain/worker/cold-start.ts";
import type { ProgramStart } from "../../domain/worker/program-start.ts";
import type { Worker } from "../../domain/worker/worker.ts";
import { change, row, type Tx } from "../engine/statement.ts";

const stepColumns: Record<StartStep, string> = {
  launched: "launched_at",
  models_ready: "models_at",
  image_pulling: "pulling_at",
  image_ready: "image_at",
};

/** Keeps the first instant of a step that is repeated, such as after a restart of the service. */
export function* setStartStep(id: string, step: StartStep, at: number): Tx<void> {
  const column = stepColumns[step];
  yield* change(
    `update worker set ${column} = coalesce(${column}, ?) where id = ? and observed = 'new'`,
    at,
    id,
  );
}

/** False where its start was observed before. */
export function* setRunning(id: string, at: number): Tx<boolean> {
  const changed = yield* change(
    "update worker set observed = 'running', started_at = ? where id = ? and observed = 'new'",
    at,
    id,
  );
  return changed > 0;
}

/** Records what the worker says; instants before its machine began to start it are ignored. */
export function* setProgramStart(id: string, at: number, start: ProgramStart): Tx<void> {
  const [processAt, loadedAt] = [at - start.processMs, at - start.loadedMs];
  yield* change(
    `update worker set process_at = ?, loaded_at = ?
     where id = ? and ready_at is null and coalesce(launched_at, created_at) <= ?`,
    ...[processAt, loadedAt, id, processAt],
  );
}

/** What a cold start shows of a worker. */
const STARTED_COLUMNS = `id, endpoint_id as "endpointId", machine, driver, created_at as "createdAt",
  launched_at as "launchedAt", models_at as "modelsAt", pulling_at as "pullingAt", image_at as "imageAt",
  started_at as "startedAt", process_at as "processAt", loaded_at as "loadedAt", ready_at as "readyAt"`;

/** Records that a worker is ready; undefined where it was before. */
export function* setReady(
  id: string,
  at: number,
  kind: "queue" | "serving",
): Tx<StartedWorker | undefined> {
  return yield* row<StartedWorker>(readySqls[kind], at, id);
}

const readySql = (condition: string) => `update worker set ready_at = ?
  where id = ? and ready_at is null and ${condition} returning ${STARTED_COLUMNS}`;
const readySqls = {
  queue: readySql("serving is null"),
  serving: readySql("serving is not null"),
};

/** A worker that ended before it was ready. */
export function* failedStart(id: string): Tx<StartedWorker | undefined> {
  return yield* row<StartedWorker>(
    `select ${STARTED_COLUMNS} from worker where id = ? and ready_at is null`,
    id,
  );
}

/** When a worker was created, and when it became ready. */
export function* readinessOf(id: string): Tx<Pick<Worker, "createdAt" | "readyAt"> | undefined> {
  return yield* row(
    'select created_at as "createdAt", ready_at as "readyAt" from worker where id = ?',
    id,
  );
}
