// The removal of a deleted volume's row, with everything that refers to its files.

import type { Tx } from "../../store/engine/statement.ts";
import { purgeVolume } from "../../store/network-volume/network-volume.ts";
import { forgetVolume } from "../s3/object.ts";

export function* purgeVolumeRows(id: string): Tx<void> {
  yield* forgetVolume(id);
  yield* purgeVolume(id);
}
