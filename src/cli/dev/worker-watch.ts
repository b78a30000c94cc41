// Watches the endpoint's workers: prints when one starts, serves or ends, and passes on its output.
// A crash that repeats an earlier one takes one line.

import type { Worker } from "../../contract/rest-v1/endpoint/worker.ts";
import { durationText } from "../../domain/duration.ts";
import type { RunningService } from "../client/running-service.ts";
import { ask } from "../client/service-request.ts";
import { type PrintLines, short } from "./print-lines.ts";
import { DevWorkerLog } from "./worker-log.ts";

export interface WorkerWatchOptions {
  service: RunningService;
  endpointId: string;
  /** Returns the path of a worker's log. */
  logPath: (workerId: string) => string;
  /** Workers from before this instant are not printed. */
  since: number;
  print: PrintLines;
}

interface Watched {
  log: DevWorkerLog;
  phase: Worker["phase"] | null;
  serves: boolean;
}

export class WorkerWatch {
  readonly #options: WorkerWatchOptions;
  readonly #workers = new Map<string, Watched>();
  /** Versions of which a worker ended before it was ready. */
  readonly #crashed = new Set<number>();

  constructor(options: WorkerWatchOptions) {
    this.#options = options;
  }

  /** Reads the workers once, and prints what has changed since the last call. */
  async poll(): Promise<void> {
    const { service, endpointId } = this.#options;
    const path = `/v1/endpoints/${endpointId}/workers?ended=20`;
    const workers = (await ask(service, "GET", path)) as Worker[];
    for (const worker of workers.toReversed()) this.#print(worker, workers);
  }

  /** Passes on new output without asking the service. */
  readLogs(): void {
    for (const { log, phase } of this.#workers.values()) if (phase !== "ended") log.read();
  }

  #watch(worker: Worker): Watched {
    const { logPath, since, print } = this.#options;
    const old = Date.parse(worker.createdAt) < since;
    const buffer = this.#crashed.has(worker.version);
    const log = new DevWorkerLog(logPath(worker.id), worker.id, { print, buffer });
    if (old) log.skip();
    const watched = { log, phase: old ? worker.phase : null, serves: old };
    this.#workers.set(worker.id, watched);
    return watched;
  }

  #print(worker: Worker, all: Worker[]): void {
    const watched = this.#workers.get(worker.id) ?? this.#watch(worker);
    const hasChanged = watched.phase !== worker.phase;
    const isNew = watched.phase === null;
    watched.phase = worker.phase;
    if (isNew && !watched.log.isBuffering) this.#printWorker(worker, "starts");
    if (!watched.serves && worker.readyAt && !isStandby(worker, all)) {
      watched.serves = true;
      watched.log.release();
      const tookMs = Date.parse(worker.readyAt) - Date.parse(worker.createdAt);
      this.#printWorker(worker, `serves, ready ${durationText(tookMs)} after its start`);
    }
    if (!hasChanged) return;
    if (worker.phase === "unhealthy")
      this.#printWorker(worker, `is unhealthy: ${worker.unhealthy}`);
    if (worker.phase === "draining" && watched.serves) {
      this.#printWorker(worker, `takes no more jobs: ${worker.reason}`);
    }
    if (worker.phase === "ended") this.#printEnd(worker, watched, all);
  }

  #printEnd(worker: Worker, { log }: Watched, all: Worker[]): void {
    const again = log.isBuffering ? " again" : "";
    log.end();
    const { exitCode, signal, reason, readyAt } = worker;
    // A worker that was stopped and ended is not printed.
    if (reason !== undefined && !exitCode) return;
    const how = signal ?? (exitCode === undefined ? null : `code ${exitCode}`);
    const crashed = readyAt === undefined;
    const when = crashed ? " before it was ready" : "";
    const serving = crashed && all.find(({ phase }) => phase === "idle" || phase === "busy");
    const serviceContinues = serving ? `; worker ${short(serving.id)} continues` : "";
    this.#printWorker(
      worker,
      `ended${again}${how ? ` with ${how}` : ""}${when}${serviceContinues}`,
    );
    if (crashed) this.#crashed.add(worker.version);
  }

  #printWorker(worker: Worker, what: string): void {
    this.#options.print("dev", `worker ${short(worker.id)} ${what}`);
  }
}

/** True while a worker of an earlier save may still take the next job. */
function isStandby({ version }: Worker, all: Worker[]): boolean {
  return all.some((each) => each.version < version && /^(?:idle|busy)$/.test(each.phase));
}
