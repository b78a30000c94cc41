// The line of a folder's entry, as `ls -l` prints it: clients show it without reading it.

import type { DirectoryEntry } from "../../../flows/ssh/files/attributes.ts";

/** The letters of file types, by the first four bits of the mode. */
const TYPES = "?pc?d?b?-?l?s???";
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

export function longNameOf({ name, attributes }: DirectoryEntry): string {
  const { mode, links, uid, gid, user, group, size, modifiedAt } = attributes;
  const known = (name: string, id: number) => (name === "UNKNOWN" ? String(id) : name).padEnd(8);
  const owner = `${known(user, uid)} ${known(group, gid)}`;
  const counts = `${String(links).padStart(4)} ${owner} ${String(size).padStart(8)}`;
  return `${modeText(mode)} ${counts} ${dateText(modifiedAt)} ${name}`;
}

function modeText(mode: number): string {
  const three = (bits: number, isSpecial: boolean, sign: string) => {
    const execute = bits & 1 ? "x" : "-";
    const last = isSpecial ? (bits & 1 ? sign : sign.toUpperCase()) : execute;
    return (bits & 4 ? "r" : "-") + (bits & 2 ? "w" : "-") + last;
  };
  const user = three((mode >> 6) & 7, (mode & 0o4000) !== 0, "s");
  const group = three((mode >> 3) & 7, (mode & 0o2000) !== 0, "s");
  const others = three(mode & 7, (mode & 0o1000) !== 0, "t");
  return TYPES[mode >> 12]! + user + group + others;
}

/** In UTC, with the year instead of the time, so that it needs no clock. */
function dateText(seconds: number): string {
  const date = new Date(seconds * 1_000);
  const day = String(date.getUTCDate()).padStart(2);
  return `${MONTHS[date.getUTCMonth()]} ${day}  ${date.getUTCFullYear()}`;
}
