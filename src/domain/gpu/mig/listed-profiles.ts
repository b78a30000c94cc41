// The MIG profiles that the driver listed for a GPU. A driver of another version may list others. Pure.

import type { MigProfile } from "./mig-profiles.ts";

/** Profiles by the UUID of the GPU, with the version of the driver that listed them. */
export type MigProfileLists = Readonly<
  Record<string, { driver: string | null; profiles: readonly MigProfile[] }>
>;

/** Empty for a GPU that was not in MIG mode with the driver of this version. */
export function listedProfiles(
  { migProfiles = {} }: { migProfiles?: MigProfileLists },
  uuid: string,
  driver: string | null,
): readonly MigProfile[] {
  const read = Object.hasOwn(migProfiles, uuid) ? migProfiles[uuid] : undefined;
  return read?.driver === driver ? read.profiles : [];
}
