// Deletes old releases with the commits of their models.

import { deleteOldReleases } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { deleteOrphanedPins } from "../../store/release-model/release-model.ts";

export function* forgetReleases(keptReleases: number, limit: number): Tx<number> {
  const deleted = yield* deleteOldReleases(keptReleases, limit);
  if (deleted > 0) yield* deleteOrphanedPins();
  return deleted;
}
