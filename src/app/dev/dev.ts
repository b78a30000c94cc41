// `freehold dev`: an endpoint for one handler, with a fresh worker on every save, for as long as the
// command runs.

import path from "node:path";
import { type Clock, pause } from "../../base/clock.ts";
import { WorkloadFolder } from "../../drivers/process/workload-folder.ts";
import { findService, type Service } from "../cli/service.ts";
import type { Config } from "../config.ts";
import { Refusal } from "../refusal.ts";
import {
  type DevEndpoint,
  leaveEndpoint,
  openEndpoint,
  releaseSave,
  removeEndpoint,
} from "./endpoint.ts";
import { JobWatch } from "./job-watch.ts";
import type { DevPlan } from "./plan.ts";
import { watchSaves } from "./saves.ts";
import { type Say, sayTo } from "./say.ts";
import { devScreen } from "./screen.ts";
import { syntaxError } from "./syntax.ts";
import { WorkerWatch } from "./worker-watch.ts";

const LOOK_MS = 150;

export interface DevDeps {
  config: Config;
  clock: Clock;
  env: Record<string, string | undefined>;
  write: (text: string) => void;
  /** Aborts when it is time to end. */
  signal: AbortSignal;
}

export async function dev(plan: DevPlan, deps: DevDeps): Promise<void> {
  const mistake = plan.file && syntaxError([plan.file], plan.python);
  if (mistake) throw new Refusal(`${mistake}\nmend it, then start again`);
  const { service, stop } = await serviceFor(deps);
  const say = sayTo(deps.write);
  const saves = new SaveQueue();
  const since = deps.clock.now();
  const { clock, config } = deps;
  const watched = { clock, folder: plan.watched, except: config.dataFolder };
  const watching = watchSaves(watched, (files) => saves.add(files));
  try {
    const endpoint = await openEndpoint(service, plan);
    try {
      deps.write(devScreen(service, plan, endpoint.id));
      if (!watching.all) say("dev", "too many folders to watch them all; some saves go unseen");
      await follow(plan, endpoint, { ...deps, service, say, saves, since });
    } finally {
      say("dev", plan.keep ? `the endpoint ${endpoint.id} stays` : "removing the endpoint");
      await (plan.keep ? leaveEndpoint : removeEndpoint)(service, endpoint).catch((error) =>
        say("dev", `that failed: ${(error as Error).message}`),
      );
    }
  } finally {
    watching.close();
    await stop();
  }
}

/** The service that runs, or one of our own on the same data folder. */
async function serviceFor({ config, env, write }: DevDeps) {
  const found = await findService(config);
  if ("origin" in found) {
    write(`  service   ${found.origin}, which runs already\n`);
    return { service: found, stop: async () => {} };
  }
  const { up } = await import("../up.ts");
  const { origin, cliKey, newKey, stop } = await up(config, env);
  write(`  service   ${origin}, started here on ${config.dataFolder}, as \`freehold up\` does\n`);
  if (newKey) write(`  key       ${newKey}   (shown once)\n`);
  return { service: { origin, key: cliKey }, stop };
}

interface Following extends DevDeps {
  service: Service;
  say: Say;
  saves: SaveQueue;
  /** When it began; what was before is no news. */
  since: number;
}

async function follow(plan: DevPlan, endpoint: DevEndpoint, deps: Following): Promise<void> {
  const { service, say, clock, signal, config, since } = deps;
  const workersFolder = path.join(config.dataFolder, "workers");
  const logPath = (id: string) => new WorkloadFolder(path.join(workersFolder, id)).log;
  const watched = { service, endpointId: endpoint.id, since, say };
  const workers = new WorkerWatch({ ...watched, logPath });
  const jobs = new JobWatch({ ...watched, onEnd: () => workers.readLogs() });
  let away = false;
  while (!signal.aborted) {
    try {
      workers.readLogs();
      await workers.look();
      await jobs.look();
      const files = deps.saves.take();
      if (files.length > 0) await save(plan, endpoint, files, deps);
      away = false;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!away) say("dev", error.message);
      away = true;
    }
    await pause(clock, LOOK_MS, signal);
  }
  workers.readLogs();
}

async function save(
  plan: DevPlan,
  endpoint: DevEndpoint,
  files: string[],
  { service, say }: Following,
): Promise<void> {
  const names = files.map((file) => path.relative(plan.watched, file)).sort();
  const shown = names.length > 3 ? `${names.slice(0, 3).join(", ")} and more` : names.join(", ");
  // The handler itself too: it may be what an earlier save broke.
  const mistake = syntaxError(
    [...new Set([...files, ...(plan.file ? [plan.file] : [])])],
    plan.python,
  );
  if (mistake) {
    say("dev", `${mistake}\n${shown} was saved with this mistake; the worker before goes on`);
    return;
  }
  await releaseSave(service, plan, endpoint);
  say("dev", `${shown} was saved: a fresh worker, and the one before goes on until it is ready`);
}

/** What was saved since it was last asked for. */
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
