// What a bare sync of the floor costs here: a 4 kB append and fdatasync, alone, in the directory
// that the parties store in. Freehold's goal for idle latency is stated in terms of it.
import { closeSync, fdatasyncSync, openSync, unlinkSync, writeSync } from "node:fs";
import path from "node:path";
import { Latencies } from "./latencies.ts";

const APPEND_BYTES = 4096;

export interface SyncCost {
  p50Ms: number;
  p99Ms: number;
}

export function measureSync(directory: string, times: number): SyncCost {
  const file = path.join(directory, "sync-probe");
  const descriptor = openSync(file, "w");
  const page = Buffer.alloc(APPEND_BYTES, 1);
  const latencies = new Latencies();
  for (let n = 0; n < times; n++) {
    const begun = performance.now();
    writeSync(descriptor, page);
    fdatasyncSync(descriptor);
    latencies.add(performance.now() - begun);
  }
  closeSync(descriptor);
  unlinkSync(file);
  return { p50Ms: latencies.at(0.5), p99Ms: latencies.at(0.99) };
}
