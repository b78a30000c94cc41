// The cost of a bare sync: a 4 kB append and fdatasync, alone, in the directory that the peers store in. The goal
// for idle latency refers to it.
import { randomUUID } from "node:crypto";
import { closeSync, fdatasyncSync, openSync, unlinkSync, writeSync } from "node:fs";
import path from "node:path";
import { Latencies } from "../report/latencies.ts";

const APPEND_BYTES = 4096;

export interface SyncCost {
  p50Ms: number;
  p99Ms: number;
}

export function measureSync(folder: string, times: number): SyncCost {
  const file = path.join(folder, `sync-probe-${randomUUID()}`);
  const descriptor = openSync(file, "wx");
  const page = Buffer.alloc(APPEND_BYTES, 1);
  const latencies = new Latencies();
  for (let n = 0; n < times; n++) {
    const startedAt = performance.now();
    writeSync(descriptor, page);
    fdatasyncSync(descriptor);
    latencies.add(performance.now() - startedAt);
  }
  closeSync(descriptor);
  unlinkSync(file);
  return { p50Ms: latencies.at(0.5), p99Ms: latencies.at(0.99) };
}
