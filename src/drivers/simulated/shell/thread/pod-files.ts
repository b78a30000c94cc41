// The files of a simulated Pod: in memory as long as the Pod runs, and its volumes' real ones.

import { getCommandNames, InMemoryFs, MountableFs } from "just-bash/browser";
import { MIB } from "../../../../base/units.ts";
import type { SimulatedPodFacts } from "../messages.ts";
import { PROGRAM_NAMES } from "./programs.ts";
import { openVolumeFiles } from "./volume-files.ts";
import { VolumeSpace } from "./volume-space.ts";

const MAX_FILE_BYTES = 64 * MIB;
const FOLDERS = [
  "/bin",
  "/dev",
  "/etc",
  "/home",
  "/proc",
  "/root",
  "/sbin",
  "/tmp",
  "/usr/bin",
  "/var/log",
];
/** Commands of just-bash that its build without native code lacks. */
const ABSENT = new Set([
  "html-to-markdown",
  "python",
  "python3",
  "tar",
  "sqlite3",
  "js-exec",
  "yq",
  "xan",
]);

export const BUILT_IN = getCommandNames().filter((name) => !ABSENT.has(name));

/** The folder of commands that only Freehold calls; just-bash knows commands in no other. */
export const HIDDEN_FOLDER = "/usr/bin";
const HIDDEN = ["freehold-next", "freehold-status"];

export async function openPodFiles(facts: SimulatedPodFacts): Promise<MountableFs> {
  const base = new InMemoryFs({}, { maxTotalBytes: MAX_FILE_BYTES });
  for (const folder of FOLDERS) await base.mkdir(folder, { recursive: true });
  const programs = [...BUILT_IN, ...PROGRAM_NAMES, "trap"];
  const places = ["/bin", "/usr/bin"].flatMap((folder) =>
    programs.map((name) => `${folder}/${name}`),
  );
  for (const place of [...places, ...HIDDEN.map((name) => `${HIDDEN_FOLDER}/${name}`)]) {
    base.writeFileSync(place, "#!/bin/sh\n", undefined, { mode: 0o755 });
  }
  await base.writeFile("/dev/null", "");
  await base.writeFile("/etc/hostname", `${facts.id}\n`);
  await base.writeFile("/etc/passwd", "root:x:0:0:root:/root:/bin/bash\n");
  await base.writeFile("/etc/os-release", 'NAME="Freehold simulated Pod"\nID=freehold\n');
  for (const { mountPath } of facts.volumes) await base.mkdir(mountPath, { recursive: true });
  const mounts = facts.volumes.map(({ folder, mountPath, sizeBytes }) => ({
    mountPoint: mountPath,
    filesystem: openVolumeFiles({ folder, mountPath, space: spaceOf(folder, sizeBytes) }),
  }));
  return new MountableFs({ base, mounts });
}

/** Pods may share a volume. */
const spaces = new Map<string, { sizeBytes: number; space: VolumeSpace }>();

function spaceOf(folder: string, sizeBytes: number | null): VolumeSpace | null {
  if (sizeBytes === null) return null;
  const shared = spaces.get(folder);
  if (shared?.sizeBytes === sizeBytes) return shared.space;
  const space = new VolumeSpace(folder, sizeBytes);
  spaces.set(folder, { sizeBytes, space });
  return space;
}
