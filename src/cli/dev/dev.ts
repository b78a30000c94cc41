// `freehold dev`: an endpoint for one handler, with a fresh worker on every save, until the command
// ends.

import path from "node:path";
import { type Clock, pause } from "../../base/clock.ts";
import { Refusal } from "../../base/refusal.ts";
import type { Config } from "../../config/config.ts";
import { findService, type RunningService } from "../client/running-service.ts";
import { shownKey } from "../client/shown-key.ts";
import {
  type DevEndpoint,
  leaveEndpoint,
  openEndpoint,
  releaseSave,
  removeEndpoint,
} from "./endpoint.ts";
import { watchSaves } from "./file-watch.ts";
import { JobWatch } from "./job-watch.ts";
import type { DevPlan } from "./plan.ts";
import { linePrinter, type PrintLines } from "./print-lines.ts";
import { devScreen } from "./screen.ts";
import { syntaxError } from "./syntax.ts";
import { WorkerWatch } from "./worker-watch.ts";

const POLL_MS = 150;

export interface DevDeps {
  config: Config;
  clock: Clock;
  env: Record<string, string | undefined>;
  write: (text: string) => void;
  /** Whether a person reads the output, and no log keeps it. */
  isTerminal: boolean;
  /** Aborts when the command is to end. */
  signal: AbortSignal;
}

export async function dev(plan: DevPlan, deps: DevDeps): Promise<void> {
  const broken = plan.file && syntaxError([plan.file], plan.python);
  if (broken) throw new Refusal(`${broken}\nfix it, then start again`);
  const { service, stop } = await serviceFor(deps);
  const print = linePrinter(deps.write);
  const saves = new SaveQueue();
  const since = deps.clock.now();
  const { clock, config } = deps;
  const watched = { clock, folder: plan.watched, except: config.dataFolder };
  const watching = watchSaves(watched, (files) => saves.add(files));
  try {
    const endpoint = await openEndpoint(service, plan);
    try {
      const key = shownKey(config, service.key, deps.isTerminal);
      deps.write(devScreen(service, key, plan, endpoint.id));
      if (!watching.all) print("dev", "too many folders to watch them all; some saves are missed");
      await follow(plan, endpoint, { ...deps, service, print, saves, since });
    } finally {
      print("dev", plan.keep ? `the endpoint ${endpoint.id} stays` : "removing the endpoint");
      await (plan.keep ? leaveEndpoint : removeEndpoint)(service, endpoint).catch((error) =>
        print("dev", `the endpoint cannot be removed: ${(error as Error).message}`),
      );
    }
  } finally {
    watching.close();
    await stop();
  }
}

/** The running service, or one started here on the same data folder. */
async function serviceFor({ config, env, write }: DevDeps) {
  const found = await findService(config);
  if ("origin" in found) {
    write(`  service   ${found.origin}, which runs already\n`);
    return { service: found, stop: async () => {} };
  }
  const { up } = await import("../../app/boot/up.ts");
  const { origin, cliKey, stop } = await up(config, env);
  write(`  service   ${origin}, started here on ${config.dataFolder}, as \`freehold up\` does\n`);
  return { service: { origin, key: cliKey }, stop };
}

interface Following extends DevDeps {
  service: RunningService;
  print: PrintLines;
  saves: SaveQueue;
  /** The start of the command. Earlier events are not printed. */
  since: number;
}

async function follow(plan: DevPlan, endpoint: DevEndpoint, deps: Following): Promise<void> {
  const { service, print, clock, signal, config, since } = deps;
  const { WorkloadFolder } = await import("../../drivers/process/workload-folder.ts");
  const workersFolder = path.join(config.dataFolder, "workers");
  const logPath = (id: string) => new WorkloadFolder(path.join(workersFolder, id)).log;
  const watched = { service, endpointId: endpoint.id, since, print };
  const workers = new WorkerWatch({ ...watched, logPath });
  const jobs = new JobWatch({ ...watched, onEnd: () => workers.readLogs() });
  let isUnavailable = false;
  while (!signal.aborted) {
    try {
      workers.readLogs();
      await workers.poll();
      await jobs.poll();
      const files = deps.saves.take();
      if (files.length > 0) await save(plan, endpoint, files, deps);
      isUnavailable = false;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!isUnavailable) print("dev", error.message);
      isUnavailable = true;
    }
    await pause(clock, POLL_MS, signal);
  }
  workers.readLogs();
}

async function save(
  plan: DevPlan,
  endpoint: DevEndpoint,
  files: string[],
  { service, print }: Following,
): Promise<void> {
  const names = files.map((file) => path.relative(plan.watched, file)).sort();
  const shown = names.length > 3 ? `${names.slice(0, 3).join(", ")} and more` : names.join(", ");
  // Includes the handler itself: an earlier save may have broken it.
  const broken = syntaxError(
    [...new Set([...files, ...(plan.file ? [plan.file] : [])])],
    plan.python,
  );
  if (broken) {
    print("dev", `${broken}\n${shown} was saved with this error; the previous worker continues`);
    return;
  }
  await releaseSave(service, plan, endpoint);
  print(
    "dev",
    `${shown} was saved: starting a fresh worker; the previous one continues until it is ready`,
  );
}

/** Collects saved files until they are taken. */
class SaveQueue {
  #files = new Set<string>();

  add(files: string[]): void {
    for (const file of files) this.#files.add(file);
  }

  take(): string[] {
    const files = [...this.#files];
    this.#files.clear();
    return files;
  }
}
