// The container that this process runs in, if the engine in use runs it: Freehold's own image beside its workloads.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Engine, unlessMissing } from "../engine.ts";

export interface OwnContainer {
  id: string;
  /** Where a path of this process is on the engine's machine; null for a path that is not on a mount. */
  machinePathOf(file: string): string | null;
}

interface Mount {
  Source: string;
  Destination: string;
}

/** Null if this process runs in no container of the engine. */
export async function findOwnContainer(engine: Engine): Promise<OwnContainer | null> {
  const id = containerIn(await readFile("/proc/self/mountinfo", "utf8").catch(() => ""));
  if (id === null) return null;
  const found = await engine.callWithin((docker) =>
    unlessMissing(docker.getContainer(id).inspect()),
  );
  return found && { id, machinePathOf: (file) => machinePathOf(found.Mounts, file) };
}

/** Engines mount a file of the container's folder as /etc/hostname. */
export function containerIn(mountInfo: string): string | null {
  return /\/([0-9a-f]{64})\/(?:userdata\/)?hostname \/etc\/hostname /.exec(mountInfo)?.[1] ?? null;
}

export function machinePathOf(mounts: readonly Mount[], file: string): string | null {
  const within = (mount: Mount) => path.posix.relative(mount.Destination, file);
  const holding = mounts.filter((mount) => !/^\.\.(?:\/|$)/.test(within(mount)));
  const [nearest] = holding.sort((a, b) => b.Destination.length - a.Destination.length);
  return nearest ? path.posix.join(nearest.Source, within(nearest)) : null;
}
