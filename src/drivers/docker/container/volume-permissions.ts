// The permissions of a new volume. The engine makes its folder for root alone, so that an image that runs as
// another user could not write to it. It is opened through the engine, which may be on another machine.

import { posix } from "node:path";
import type { Readable } from "node:stream";
import { extract, type Headers, pack } from "tar-stream";
import { type Engine, statusOf } from "../engine.ts";

/** A volume belongs to one account, so a sticky bit would only keep its users from replacing each other's files. */
const OPEN_MODE = 0o777;
const ENGINE_MODE = 0o755;

/** `container` is created and not started. A volume that has content, an owner or another mode stays as it is. */
export async function openNewVolumes(
  engine: Engine,
  container: string,
  mountPaths: readonly string[],
): Promise<void> {
  for (const path of mountPaths) {
    try {
      if (await isNew(engine, container, path)) await open(engine, container, path);
    } catch (error) {
      // An engine that has no archive of a volume before its container starts leaves it to its own rules.
      if (statusOf(error) === null) throw error;
    }
  }
}

async function isNew(engine: Engine, container: string, path: string): Promise<boolean> {
  const [root, child] = await firstEntries(engine, container, path);
  const mode = (root?.mode ?? 0) & 0o7777;
  return root?.uid === 0 && mode === ENGINE_MODE && child === undefined;
}

/** The engine leaves the mode of an archive's own root alone, but not that of a folder in it. */
async function open(engine: Engine, container: string, path: string): Promise<void> {
  const archive = pack();
  archive.entry({ name: `${posix.basename(path)}/`, type: "directory", mode: OPEN_MODE });
  archive.finalize();
  const parent = { path: posix.dirname(path) };
  await engine.callWhileAlive((docker) =>
    docker.getContainer(container).putArchive(archive, parent),
  );
}

/** The folder and what is first in it, without the rest of what may be gigabytes. */
async function firstEntries(engine: Engine, container: string, path: string): Promise<Headers[]> {
  const archive = await engine.callWhileAlive((docker) =>
    docker.getContainer(container).getArchive({ path }),
  );
  const headers: Headers[] = [];
  const entries = extract();
  const read = new Promise<void>((resolve, reject) => {
    entries.on("entry", (header, stream, next) => {
      headers.push(header);
      stream.resume();
      if (headers.length === 2) resolve();
      else next();
    });
    entries.on("finish", resolve).on("error", reject);
    engine.guard(archive as Readable).on("error", reject);
  });
  archive.pipe(entries);
  await read.finally(() => {
    archive.unpipe(entries);
    (archive as Readable).destroy();
  });
  return headers;
}
