// The home folder of a process. Some programs prefer credentials in the home folder to their
// environment: the Python SDK sends the key in ~/.runpod/config.toml instead of its worker's own.
// If the service's home has such an entry, a process gets a folder of links to everything else.

import { lstat, mkdir, readdir, symlink } from "node:fs/promises";
import path from "node:path";

/** Folders with a user's credentials that a workload would mistake for its own. */
const HIDDEN = [".runpod"];

/** `home` itself if nothing in it must be hidden, else the folder of links at `substitute`. */
export async function homeFor(home: string, substitute: string): Promise<string> {
  const names = await readdir(home).catch((): string[] => []);
  if (!HIDDEN.some((name) => names.includes(name))) return home;
  await mkdir(substitute, { recursive: true, mode: 0o700 });
  for (const name of names) {
    const link = path.join(substitute, name);
    if (HIDDEN.includes(name) || (await lstat(link).catch(() => null))) continue;
    await symlink(path.join(home, name), link);
  }
  return substitute;
}
