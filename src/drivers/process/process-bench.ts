// What the tests of the process driver share: a driver on a folder of its own that leaves no process
// behind, and small workloads made of shell.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as realTime } from "node:timers/promises";
import { systemClock } from "../../base/clock.ts";
import type { Driver, Sighting, Workload } from "../driver.ts";
import { openProcessDriver, type ProcessDriverOptions } from "./process-driver.ts";

export interface ProcessBench {
  folder: string;
  driver: Driver;
  /** Closes this driver and opens another on the same folder. */
  reopen(): Promise<Driver>;
  see(id: string): Promise<Sighting | undefined>;
  printed(id: string): Promise<string[]>;
  dispose(): Promise<void>;
}

export async function processBench(
  options: Partial<ProcessDriverOptions> = {},
): Promise<ProcessBench> {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-process-"));
  const open = () =>
    openProcessDriver({ folder, clock: systemClock, env: process.env, lookMs: 20, ...options });
  const bench: ProcessBench = {
    folder,
    driver: await open(),
    async reopen() {
      await bench.driver.close();
      bench.driver = await open();
      return bench.driver;
    },
    see: async (id) => (await bench.driver.list()).find((sighting) => sighting.id === id),
    printed: async (id) => (await bench.driver.logs(id, 10_000)).map(({ text }) => text),
    async dispose() {
      await Promise.all((await bench.driver.list()).map(({ id }) => bench.driver.stop(id, 0)));
      await bench.driver.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return bench;
}

export function shell(id: string, script: string, env: Record<string, string> = {}): Workload {
  return { id, image: "img/test:1", entrypoint: [], command: ["/bin/sh", "-c", script], env };
}

/** Waits in real time, because processes live in it. */
export async function until<T>(look: () => Promise<T> | T): Promise<NonNullable<T>> {
  for (let turn = 0; turn < 3000; turn++) {
    const seen = await look();
    if (seen) return seen;
    await realTime(10);
  }
  throw new Error("what was waited for never came");
}

/** Whether it runs; a dead process that nobody reaped does not. */
export function lives(pid: number): boolean {
  if (!existsSync("/proc/self/stat")) {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  }
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}
