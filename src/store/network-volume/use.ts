// How much is in a network volume, as its machine measured it last. Of one that nothing has mounted since it
// is as it was then.

import { needsNoSync, ring, row, rows, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";

export interface VolumeUse {
  id: string;
  usedBytes: number;
}

export function* noteVolumeUses(uses: readonly VolumeUse[]): Verb<void> {
  yield* needsNoSync();
  for (const { id, usedBytes } of uses) {
    const found = yield* row<{ account_id: string }>(
      `update network_volume set used_bytes = ?
       where id = ? and (used_bytes is null or used_bytes <> ?) returning account_id`,
      usedBytes,
      id,
      usedBytes,
    );
    if (found) yield* ring(topic.changed(found.account_id, "networkVolume", id));
  }
}

/** By volume, of those that were ever measured. */
export function* volumeUses(accountId: string): Verb<Map<string, number>> {
  const found = yield* rows<{ id: string; used_bytes: number }>(
    `select id, used_bytes from network_volume
     where account_id = ? and deleted_at is null and used_bytes is not null`,
    accountId,
  );
  return new Map(found.map(({ id, used_bytes: usedBytes }) => [id, usedBytes]));
}
