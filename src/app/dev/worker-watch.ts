// Watches the endpoint's workers: says when one starts, serves or ends, and hands on what each
// prints. Of a crash that only repeats itself it tells in one line.

import type { Worker } from "../../contract/rest-v1/worker.ts";
import { spanText } from "../../domain/span.ts";
import { ask } from "../cli/ask.ts";
import type { Service } from "../cli/service.ts";
import { type Say, short } from "./say.ts";
import { WorkerLog } from "./worker-log.ts";

export interface WorkerWatchOptions {
  service: Service;
  endpointId: string;
  /** Where a worker's log lies. */
  logPath: (workerId: string) => string;
  /** Workers that were there before this instant are no news. */
  since: number;
  say: Say;
}

interface Watched {
  log: WorkerLog;
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

  /** Looks once. */
  async look(): Promise<void> {
    const { service, endpointId } = this.#options;
    const path = `/v1/endpoints/${endpointId}/workers?ended=20`;
    const workers = (await ask(service, "GET", path)) as Worker[];
    for (const worker of workers.toReversed()) this.#tell(worker, workers);
  }

  /** Hands on what was printed since; without asking anybody. */
  readLogs(): void {
    for (const { log, phase } of this.#workers.values()) if (phase !== "ended") log.read();
  }

  #know(worker: Worker): Watched {
    const { logPath, since, say } = this.#options;
    const old = Date.parse(worker.createdAt) < since;
    const silent = this.#crashed.has(worker.version);
    const log = new WorkerLog(logPath(worker.id), worker.id, { say, silent });
    if (old) log.skip();
    const watched = { log, phase: old ? worker.phase : null, serves: old };
    this.#workers.set(worker.id, watched);
    return watched;
  }

  #tell(worker: Worker, all: Worker[]): void {
    const watched = this.#workers.get(worker.id) ?? this.#know(worker);
    const isNews = watched.phase !== worker.phase;
    const isNew = watched.phase === null;
    watched.phase = worker.phase;
    if (isNew && !watched.log.silent) this.#say(worker, "starts");
    if (!watched.serves && worker.readyAt && !givesWay(worker, all)) {
      watched.serves = true;
      watched.log.speak();
      const tookMs = Date.parse(worker.readyAt) - Date.parse(worker.createdAt);
      this.#say(worker, `serves, ready ${spanText(tookMs)} after its start`);
    }
    if (!isNews) return;
    if (worker.phase === "unhealthy") this.#say(worker, `is unhealthy: ${worker.unhealthy}`);
    if (worker.phase === "draining" && watched.serves) {
      this.#say(worker, `takes no more jobs: ${worker.reason}`);
    }
    if (worker.phase === "ended") this.#tellEnd(worker, watched, all);
  }

  #tellEnd(worker: Worker, { log }: Watched, all: Worker[]): void {
    const again = log.silent ? " again" : "";
    log.end();
    const { exitCode, signal, reason, readyAt } = worker;
    // Who was told to end and did so is no news.
    if (reason !== undefined && !exitCode) return;
    const how = signal ?? (exitCode === undefined ? null : `code ${exitCode}`);
    const crashed = readyAt === undefined;
    const when = crashed ? " before it was ready" : "";
    const serving = crashed && all.find(({ phase }) => phase === "idle" || phase === "busy");
    const goesOn = serving ? `; worker ${short(serving.id)} goes on` : "";
    this.#say(worker, `ended${again}${how ? ` with ${how}` : ""}${when}${goesOn}`);
    if (crashed) this.#crashed.add(worker.version);
  }

  #say(worker: Worker, what: string): void {
    this.#options.say("dev", `worker ${short(worker.id)} ${what}`);
  }
}

/** Whether another that runs what was saved before may still be given the next job. */
function givesWay({ version }: Worker, all: Worker[]): boolean {
  return all.some((each) => each.version < version && /^(?:idle|busy)$/.test(each.phase));
}
