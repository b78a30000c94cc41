// Files that a container gets before it starts. They travel in an archive, so that the engine may be on another machine.

import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { type Pack, pack } from "tar-stream";
import type { ContainerFile } from "../../driver.ts";
import { type Engine, WORK_MS } from "../engine.ts";

/** A slower transfer counts as one that stands still. */
const MIN_BYTES_PER_MS = 64;

const sizeOf = (content: ContainerFile["content"]) =>
  typeof content === "string" ? content.length : content.size;

export async function putFiles(
  engine: Engine,
  container: string,
  files: readonly ContainerFile[],
): Promise<void> {
  const archive = pack();
  const bytes = files.reduce((sum, { content }) => sum + sizeOf(content), 0);
  const withinMs = WORK_MS + Math.ceil(bytes / MIN_BYTES_PER_MS);
  const writing = writeFiles(archive, files).catch((error: Error) => archive.destroy(error));
  try {
    await engine.callWhileAlive(
      (docker) => docker.getContainer(container).putArchive(archive, { path: "/" }),
      withinMs,
    );
  } catch (error) {
    archive.destroy();
    throw error;
  }
  await writing;
}

async function writeFiles(archive: Pack, files: readonly ContainerFile[]): Promise<void> {
  for (const { path, content } of files) {
    const entry = { name: path.replace(/^\/+/, ""), mode: 0o644 };
    if (typeof content === "string") archive.entry(entry, content);
    else
      await pipeline(
        createReadStream(content.file),
        archive.entry({ ...entry, size: content.size }),
      );
  }
  archive.finalize();
}
