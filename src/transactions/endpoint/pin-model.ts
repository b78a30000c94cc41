// Pins a model to a commit for one release, so that all its workers get the same one. The first worker's
// answer from the hub counts.

import type { Tx } from "../../store/engine/statement.ts";
import { insertReleaseModel, type ReleaseModel } from "../../store/release-model/release-model.ts";

/** Returns the commit that the release has. */
export function* pinModel(pin: ReleaseModel): Tx<string> {
  return yield* insertReleaseModel(pin);
}
