// What a process tree has spent of the CPU and holds of memory, as the kernel counts it. CPU time
// is the steady figure on a shared machine, where clock time is not.
import { readdirSync, readFileSync } from "node:fs";

/** Linux counts these fields in hundredths of a second on every platform that Node runs on. */
const MICROS_PER_TICK = 10_000;

/** User and system time of one process, all its threads, in microseconds. */
export function cpuMicros(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * MICROS_PER_TICK;
}

/** The process and all its descendants, as they are now. */
export function processTree(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "latin1").split(" ").filter(Boolean),
  );
  return [pid, ...children.flatMap((child) => processTree(Number(child)))];
}

/** Resident memory in bytes. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
