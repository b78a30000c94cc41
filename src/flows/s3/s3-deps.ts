// The dependencies of the S3 flows.

import type { Vault } from "../../base/vault.ts";
import type { KeyUse } from "../account/key-use.ts";
import type { FlowDeps } from "../flow-deps.ts";
import type { LocalDrivers } from "../replica/local-drivers.ts";
import type { ObjectLocks } from "./object-locks.ts";
import type { VolumeRooms } from "./volume-rooms.ts";

export interface S3Deps extends FlowDeps {
  vault: Vault;
  localDrivers: LocalDrivers;
  /** The machine of this replica, which takes volumes that have no data yet. */
  machine: string;
  /** When S3 keys were last used. */
  uses: KeyUse;
  locks: ObjectLocks;
  rooms: VolumeRooms;
}
