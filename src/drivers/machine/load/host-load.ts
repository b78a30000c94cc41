// The load of a machine's CPUs and memory: of this one from its operating system, of another from its /proc.

import { cpus, freemem, totalmem } from "node:os";
import type { HostCounters } from "../../../domain/machine/load/load.ts";
import type { Run } from "../run.ts";
import { singleProbe } from "../single-probe.ts";

export type ReadHostLoad = () => Promise<HostCounters | null>;

export const readOwnLoad: ReadHostLoad = async () => {
  const times = cpus().map((cpu) => cpu.times);
  const sum = (read: (each: (typeof times)[number]) => number) =>
    times.reduce((total, each) => total + read(each), 0);
  const busy = sum(({ user, nice, sys, irq }) => user + nice + sys + irq);
  const idle = sum((each) => each.idle);
  const memoryBytes = totalmem();
  const cpu = times.length > 0 ? { busy, total: busy + idle } : null;
  return { cpu, memoryUsedBytes: memoryBytes - freemem(), memoryBytes };
};

/** Null while the machine does not answer. */
export const hostLoadReader = (run: Run): ReadHostLoad =>
  singleProbe(async () => {
    const text = await run("cat", ["/proc/stat", "/proc/meminfo"]).catch(() => null);
    return text === null ? null : parseHostLoad(text);
  }, null);

/** Reads proc(5), which counts the time of guests as user time too. */
export function parseHostLoad(text: string): HostCounters {
  const [, times = ""] = /^cpu +([\d ]+)$/m.exec(text) ?? [];
  const [user, nice, system, idle, ioWait = 0, irq = 0, softIrq = 0, steal = 0] = times
    .trim()
    .split(" ")
    .map(Number);
  const kilobytes = (name: string) => {
    const [, number] = new RegExp(`^${name}: +(\\d+) kB$`, "m").exec(text) ?? [];
    return number === undefined ? null : Number(number) * 1_024;
  };
  const [memoryBytes, available] = [kilobytes("MemTotal"), kilobytes("MemAvailable")];
  const isKnown = memoryBytes !== null && available !== null;
  const memoryUsedBytes = isKnown ? memoryBytes - available : null;
  if (user === undefined || nice === undefined || system === undefined || idle === undefined)
    return { cpu: null, memoryUsedBytes, memoryBytes };
  const busy = user + nice + system + irq + softIrq + steal;
  return { cpu: { busy, total: busy + idle + ioWait }, memoryUsedBytes, memoryBytes };
}
