// Files that a container gets before it starts. They travel in an archive, so that the engine may be on another machine.

import { pack } from "tar-stream";
import type { ContainerFile } from "../../driver.ts";
import type { Engine } from "../engine.ts";

export async function putFiles(
  engine: Engine,
  container: string,
  files: readonly ContainerFile[],
): Promise<void> {
  const archive = pack();
  for (const { path, content } of files) {
    archive.entry({ name: path.replace(/^\/+/, ""), mode: 0o644 }, content);
  }
  archive.finalize();
  await engine.call((docker) => docker.getContainer(container).putArchive(archive, { path: "/" }));
}
