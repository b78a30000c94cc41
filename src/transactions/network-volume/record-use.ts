// How much of network volumes is used, as a machine measures it.

import type { Tx } from "../../store/engine/statement.ts";
import { recordVolumeUses, type VolumeUse } from "../../store/network-volume/use.ts";

export function* recordVolumeUse(uses: readonly VolumeUse[]): Tx<void> {
  yield* recordVolumeUses(uses);
}
