// The MIG profiles that the driver listed for a GPU. A driver of another version may list others. Pure.

import type { GpuHealth } from "../health-record.ts";
import type { MigProfile } from "./mig-profiles.ts";

/** Empty for a GPU that was not in MIG mode with the driver of this version. */
export function listedProfiles(
  { migProfiles = {} }: Pick<GpuHealth, "migProfiles">,
  uuid: string,
  driver: string | null,
): readonly MigProfile[] {
  const read = Object.hasOwn(migProfiles, uuid) ? migProfiles[uuid] : undefined;
  return read?.driver === driver ? read.profiles : [];
}
