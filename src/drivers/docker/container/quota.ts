// The test whether an engine can limit a container's disk: it creates a container with a limit.

import { type Engine, messageOf, statusOf, unlessMissing } from "../engine.ts";
import { type ContainerOwner, ownerLabels } from "./container-spec.ts";

/** Storage drivers that support limits; others accept the option and ignore it. */
const DRIVERS_WITH_LIMITS = new Set(["overlay2", "btrfs", "zfs", "devicemapper", "vfs"]);

/** Null if it cannot be tested yet, because the engine has no image. */
export async function canLimitDisk(engine: Engine, owner: ContainerOwner): Promise<boolean | null> {
  const { Driver } = (await engine.callWithin((docker) => docker.info())) as { Driver?: string };
  if (!DRIVERS_WITH_LIMITS.has(Driver ?? "")) return false;
  const [image] = await engine.callWithin((docker) => docker.listImages());
  if (!image) return null;
  const options = {
    Image: image.Id,
    Cmd: ["true"],
    Labels: ownerLabels(owner),
    HostConfig: { StorageOpt: { size: "1G" }, NetworkMode: "none" },
  };
  try {
    const { id } = await engine.callWithin((docker) => docker.createContainer(options));
    await engine.callWithin((docker) =>
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
  return /storage-opt|StorageOpt|pquota/i.test(messageOf(error));
}
