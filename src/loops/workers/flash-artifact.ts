// The archive of a Flash build, as the worker that runs it gets it.

import type { ReleaseWorkload } from "../../domain/endpoint/release.ts";
import { type ContainerFile, type Driver, StartRefused } from "../../drivers/driver.ts";
import type { SharedArchives } from "../../flows/flash-app/shared-archives.ts";

/** The Flash worker unpacks its build from this path. */
const ARTIFACT_PATH = "/root/.runpod/artifact.tar.gz";

/** What brings the archive of its Flash build to a worker: a file in its container, or a variable for a process. */
export async function artifactOf(
  { flashArchives }: { flashArchives?: Pick<SharedArchives, "find"> },
  driver: Driver,
  { flashBuildId }: ReleaseWorkload,
): Promise<{ env?: Record<string, string>; files?: ContainerFile[] }> {
  if (flashBuildId === undefined) return {};
  const archive = await flashArchives?.find(flashBuildId);
  if (!archive) {
    throw new StartRefused(
      `no replica that answers has the archive of Flash build ${flashBuildId}; deploy again`,
    );
  }
  const { path: file, size } = archive;
  if (driver.name === "docker") {
    return { files: [{ path: ARTIFACT_PATH, content: { file, size } }] };
  }
  if (driver.name !== "kubernetes") return { env: { FLASH_BUILD_ARTIFACT_PATH: file } };
  throw new StartRefused("workers of Flash builds cannot run on Kubernetes yet");
}
