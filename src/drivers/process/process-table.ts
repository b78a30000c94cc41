// Who runs on this machine. A pid alone names nobody, because the system hands it out again; a pid
// together with the time that process was born does, until the next boot. Linux tells both in
// /proc, other systems through ps.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

export interface ProcessTable {
  /** When the process was born, in this table's own notation; null if none runs under this pid. */
  bornAt(pid: number): Promise<string | null>;
  /** The pids that still run in a process group. */
  groupMembers(groupId: number): Promise<number[]>;
  /** Reads the birth out of the line that a starting process noted about itself. */
  birthFromNote(note: string): string;
}

/** An unreaped dead process: it holds a pid and nothing else. */
const DEAD = /^[ZXx]/;

/** Linux. The fields of /proc/<pid>/stat after the name, which may itself hold brackets. */
function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
const STATE = 0;
const GROUP = 2;
const START_TIME = 19;

export const procTable: ProcessTable = {
  async bornAt(pid) {
    const fields = await readStat(String(pid));
    return fields && !DEAD.test(fields[STATE] ?? "") ? (fields[START_TIME] ?? null) : null;
  },
  async groupMembers(groupId) {
    const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const members: number[] = [];
    for (const name of names) {
      const fields = await readStat(name);
      const mine = fields?.[GROUP] === String(groupId) && !DEAD.test(fields[STATE] ?? "");
      if (mine) members.push(Number(name));
    }
    return members;
  },
  birthFromNote: (note) => statFields(note)[START_TIME] ?? "",
};

async function readStat(pid: string): Promise<string[] | null> {
  try {
    return statFields(await readFile(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return null;
  }
}

/** Anywhere else. Language and time zone are fixed, or the same birth would read differently. */
export const psTable: ProcessTable = {
  async bornAt(pid) {
    const line = await ps(["-o", "stat=,lstart=", "-p", String(pid)]);
    const [, state, birth] = /^\s*(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    return state && birth && !DEAD.test(state) ? birth : null;
  },
  async groupMembers(groupId) {
    const rows = (await ps(["-A", "-o", "pid=,pgid=,stat="])).split("\n");
    return rows
      .map((row) => row.trim().split(/\s+/))
      .filter(([, group, state]) => group === String(groupId) && !DEAD.test(state ?? ""))
      .map(([pid]) => Number(pid));
  },
  birthFromNote: (note) => note.trim(),
};

async function ps(args: string[]): Promise<string> {
  try {
    const env = { LC_ALL: "C", TZ: "UTC" };
    return (await promisify(execFile)("/bin/ps", args, { env, maxBuffer: 2 ** 26 })).stdout;
  } catch {
    return "";
  }
}

export const processTable = existsSync("/proc/self/stat") ? procTable : psTable;

/** Names this boot of the machine, where it can be told; pids and births from another are void. */
export async function bootId(): Promise<string> {
  try {
    return (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
  } catch {
    return "";
  }
}
