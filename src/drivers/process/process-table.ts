// The process table of this machine. A pid alone does not identify a process, because the system
// reuses it; a pid with the process's start time (its birth) does, until the next boot. Both are read
// from /proc on Linux and from ps elsewhere.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, readlink, realpath } from "node:fs/promises";
import { promisify } from "node:util";

export interface ProcessTable {
  /** The process's start time, in this table's own notation; null if none runs under this pid. */
  birthOf(pid: number): Promise<string | null>;
  /** The pids of the running processes of a group. */
  groupMembers(groupId: number): Promise<number[]>;
  /** Reads the birth from the note that a starting process wrote about itself. */
  birthFromNote(note: string): string;
  /** Whether a process works in the folder, or reads or prints to a file in it; false where that cannot be seen. */
  usesFolder(pid: number, folder: string): Promise<boolean>;
}

/** The states of a dead process that is not reaped yet. */
const DEAD = /^[ZXx]/;

/** Linux: the fields of /proc/<pid>/stat after the name, which may itself contain brackets. */
function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
const STATE = 0;
const GROUP = 2;
const START_TIME = 19;

export const procTable: ProcessTable = {
  async birthOf(pid) {
    const fields = await readStat(String(pid));
    return fields && !DEAD.test(fields[STATE] ?? "") ? (fields[START_TIME] ?? null) : null;
  },
  async groupMembers(groupId) {
    const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const members: number[] = [];
    for (const name of names) {
      const fields = await readStat(name);
      const isMember = fields?.[GROUP] === String(groupId) && !DEAD.test(fields[STATE] ?? "");
      if (isMember) members.push(Number(name));
    }
    return members;
  },
  birthFromNote: (note) => statFields(note)[START_TIME] ?? "",
  async usesFolder(pid, folder) {
    const links = ["cwd", "fd/0", "fd/1", "fd/2"].map((name) =>
      readlink(`/proc/${pid}/${name}`).catch(() => ""),
    );
    const resolved = await realpath(folder).catch(() => folder);
    return (await Promise.all(links)).some((link) => link.startsWith(`${resolved}/`));
  },
};

async function readStat(pid: string): Promise<string[] | null> {
  try {
    return statFields(await readFile(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return null;
  }
}

/** Other systems. Language and time zone are fixed, or the same birth would be printed differently. */
export const psTable: ProcessTable = {
  async birthOf(pid) {
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
  usesFolder: async () => false,
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

/** The id of this boot of the machine, or ""; pids and births of another boot are invalid. */
export async function bootId(): Promise<string> {
  try {
    return (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
  } catch {
    return "";
  }
}
