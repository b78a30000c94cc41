// How much data is in a network volume, as its machine measured it last. While nothing mounts the
// volume, the value stays valid.

import { topic } from "../engine/notifier.ts";
import { needsNoSync, notify, row, rows, type Tx } from "../engine/statement.ts";

export interface VolumeUse {
  id: string;
  usedBytes: number;
}

export function* recordVolumeUses(uses: readonly VolumeUse[]): Tx<void> {
  yield* needsNoSync();
  for (const { id, usedBytes } of uses) {
    const found = yield* row<{ account_id: string }>(
      `update network_volume set used_bytes = ?
       where id = ? and (used_bytes is null or used_bytes <> ?) returning account_id`,
      usedBytes,
      id,
      usedBytes,
    );
    if (found) yield* notify(topic.changed(found.account_id, "networkVolume", id));
  }
}

/** The used bytes of each volume; volumes that were never measured are left out. */
export function* volumeUses(accountId: string): Tx<Map<string, number>> {
  const found = yield* rows<{ id: string; used_bytes: number }>(
    `select id, used_bytes from network_volume
     where account_id = ? and deleted_at is null and used_bytes is not null`,
    accountId,
  );
  return new Map(found.map(({ id, used_bytes: usedBytes }) => [id, usedBytes]));
}
