// The home that a process sees. Some programs read credentials in there and prefer them to what they
// were told: the Python SDK sends the key in ~/.runpod/config.toml instead of its worker's own. Where
// the service's home has such an entry, a process is given a folder of links to everything else.

import { lstat, mkdir, readdir, symlink } from "node:fs/promises";
import path from "node:path";

/** Folders with a key of the user's that a workload would take for its own. */
const HIDDEN = [".runpod"];

/** `home` itself if nothing in it must be hidden, else the folder at `instead`, made if need be. */
export async function homeWithout(home: string, instead: string): Promise<string> {
  const names = await readdir(home).catch((): string[] => []);
  if (!HIDDEN.some((name) => names.includes(name))) return home;
  await mkdir(instead, { recursive: true, mode: 0o700 });
  for (const name of names) {
    const link = path.join(instead, name);
    if (HIDDEN.includes(name) || (await lstat(link).catch(() => null))) continue;
    await symlink(path.join(home, name), link);
  }
  return instead;
}
