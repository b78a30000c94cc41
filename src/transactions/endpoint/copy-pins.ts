// Gives a release the commits of its models that an earlier release has.

import type { Tx } from "../../store/engine/statement.ts";
import { insertReleaseModel, releaseModels } from "../../store/release-model/release-model.ts";

export function* copyPins(endpointId: string, from: number, version: number): Tx<void> {
  for (const pin of yield* releaseModels(endpointId, from)) {
    yield* insertReleaseModel({ ...pin, version });
  }
}
