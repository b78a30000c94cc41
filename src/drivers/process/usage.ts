// The resource usage of process groups, read from /proc; empty on other systems than Linux.

import { readdir, readFile } from "node:fs/promises";
import type { Usage } from "../driver.ts";

interface GroupUse {
  cpuMs: number;
  memoryBytes: number;
}

/** /proc counts CPU time in hundredths of a second, on every machine. */
const TICK_MS = 10;

/** Fields of /proc/<pid>/stat after the name. */
const GROUP = 2;
const TIMES = [11, 12, 13, 14];

/** The disk usage of a process is not measured. */
export async function readGroupUsage(
  running: { id: string; group: number }[],
  at: number,
): Promise<Usage[]> {
  const uses = await groupUse(new Set(running.map(({ group }) => group)));
  const uncounted = { memoryLimitBytes: null, receivedBytes: null, sentBytes: null };
  return running.flatMap(({ id, group }) => {
    const use = uses.get(group);
    return use ? [{ id, at, ...use, ...uncounted, diskBytes: null, volumes: [] }] : [];
  });
}

/** The usage by group; groups without a process are omitted. */
async function groupUse(groups: ReadonlySet<number>): Promise<Map<number, GroupUse>> {
  const uses = new Map<number, GroupUse>();
  const names = await readdir("/proc").catch(() => []);
  for (const name of names.filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${name}/stat`, "latin1").catch(() => "");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const group = Number(fields[GROUP]);
    if (!groups.has(group)) continue;
    const status = await readFile(`/proc/${name}/status`, "latin1").catch(() => "");
    const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
    const use = uses.get(group) ?? { cpuMs: 0, memoryBytes: 0 };
    use.cpuMs += TIMES.reduce((sum, at) => sum + Number(fields[at]), 0) * TICK_MS;
    use.memoryBytes += Number(kilobytes) * 1_024;
    uses.set(group, use);
  }
  return uses;
}
