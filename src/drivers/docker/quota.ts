// Whether an engine can limit a container's disk: only by trying does one know.

import { LABEL } from "./container.ts";
import { type Engine, statusOf, unlessMissing, wordsOf } from "./engine.ts";

/** Storage of engines that know limits at all; others take the wish and forget it. */
const ABLE = new Set(["overlay2", "btrfs", "zfs", "devicemapper", "vfs"]);

/** Null where it cannot be tried yet, for there is no image to try it with. */
export async function canLimitDisk(engine: Engine, installation: string): Promise<boolean | null> {
  const { Driver } = (await engine.askSoon((docker) => docker.info())) as { Driver?: string };
  if (!ABLE.has(Driver ?? "")) return false;
  const [image] = await engine.askSoon((docker) => docker.listImages());
  if (!image) return null;
  const wanted = {
    Image: image.Id,
    Cmd: ["true"],
    Labels: { [LABEL.installation]: installation },
    HostConfig: { StorageOpt: { size: "1G" }, NetworkMode: "none" },
  };
  try {
    const { id } = await engine.askSoon((docker) => docker.createContainer(wanted));
    await engine.askSoon((docker) =>
      unlessMissing(docker.getContainer(id).remove({ force: true })),
    );
    return true;
  } catch (error) {
    if (isDiskLimitRefused(error)) return false;
    if (statusOf(error) !== null) return null;
    throw error;
  }
}

export function isDiskLimitRefused(error: unknown): boolean {
  return /storage-opt|StorageOpt|pquota/i.test(wordsOf(error));
}
