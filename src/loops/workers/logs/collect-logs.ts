// Stores what the workers of this machine print with the jobs that it belongs to, once a second, so that it
// can be read by job and outlives the worker.

import type { Clock } from "../../../base/clock.ts";
import type { Driver } from "../../../drivers/driver.ts";
import { topic } from "../../../store/engine/notifier.ts";
import type { Store } from "../../../store/engine/store.ts";
import { jobWorkersOn } from "../../../store/worker/worker.ts";
import type { Loop } from "../../engine/loop.ts";
import { WorkerLog } from "./worker-log.ts";

const PERIOD_MS = 1_000;
const REST_MS = 200;

/** How long the log of an ended worker is still read. */
const LINGER_MS = 10_000;

interface CollectDeps {
  store: Store;
  clock: Clock;
  machine: string;
  drivers: Driver[];
}

interface Reader {
  log: WorkerLog;
  lastRunningAt: number;
}

export function collectLogsLoop(deps: CollectDeps): Loop {
  const readers = new Map<string, Reader>();
  return {
    name: "collect_logs",
    shared: false,
    periodMs: PERIOD_MS,
    restMs: REST_MS,
    topics: [topic.workloads],
    async run() {
      await openReaders(deps, readers);
      await flush(readers);
      closeIdle(deps, readers);
      return null;
    },
    async finish() {
      await flush(readers, true).catch(() => {});
      for (const { log } of readers.values()) log.close();
    },
  };
}

async function openReaders(
  { store, clock, machine, drivers }: CollectDeps,
  readers: Map<string, Reader>,
): Promise<void> {
  for (const worker of await store.read(jobWorkersOn, machine)) {
    const driver = drivers.find(({ name }) => name === worker.driver);
    if (!driver) continue;
    const log = readers.get(worker.id)?.log ?? new WorkerLog({ store, clock }, worker, driver);
    readers.set(worker.id, { log, lastRunningAt: Math.floor(clock.ticks()) });
    log.start();
  }
}

/** A log that was not stored is read again from its stored mark. */
async function flush(readers: Map<string, Reader>, isLast = false): Promise<void> {
  const flushes = [...readers].map(async ([id, { log }]) => {
    let isStored = false;
    try {
      isStored = await log.flush(isLast);
    } finally {
      if (!isStored) {
        log.close();
        readers.delete(id);
      }
    }
  });
  const results = await Promise.allSettled(flushes);
  const failed = results.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

function closeIdle({ clock }: CollectDeps, readers: Map<string, Reader>): void {
  const ticks = Math.floor(clock.ticks());
  for (const [id, { log, lastRunningAt }] of readers) {
    const isLate = ticks - lastRunningAt >= LINGER_MS;
    if (lastRunningAt === ticks || (log.isReading && !isLate)) continue;
    if (!log.isStored && !isLate) continue;
    log.close();
    readers.delete(id);
  }
}
