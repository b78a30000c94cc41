// CPU time, memory and writes of process trees, as the kernel counts them. On a shared machine CPU time is reliable and clock
// time is not.
import { readdirSync, readFileSync } from "node:fs";

/** Linux counts these fields in hundredths of a second on every platform that Node runs on. */
const MICROS_PER_TICK = 10_000;

/** User and system time of a process and all its descendants, including ended ones. */
export function cpuMicros(pid: number): number {
  return processTree(pid).reduce((sum, each) => sum + ownMicros(each), 0);
}

/** All its threads, and the children that it has waited for. */
export function ownMicros(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return ticks * MICROS_PER_TICK;
  } catch {
    return 0; // it has just ended, and its time counts in its parent
  }
}

/** The process and all its running descendants. */
export function processTree(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap((child) => processTree(Number(child)))];
}

function childrenOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "latin1").split(" ").filter(Boolean),
    );
  } catch {
    return []; // it has just ended
  }
}

/** Resident memory in bytes. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

/** What a process and its running descendants have written to disks; 0 where the kernel does not say. */
export function writtenBytes(pid: number): number {
  return processTree(pid).reduce((sum, each) => sum + ownWrites(each), 0);
}

function ownWrites(pid: number): number {
  try {
    return Number(
      /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "latin1"))?.[1] ?? 0,
    );
  } catch {
    return 0;
  }
}
