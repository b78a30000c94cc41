// A client deletes a network volume that nothing uses. It disappears at once; its machine removes the data.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { lockVolume } from "../../store/network-volume/network-volume.ts";
import { findUsers } from "../../transactions/account/find-users.ts";
import { deleteVolume } from "../../transactions/network-volume/delete.ts";
import { throwRefusal } from "../throw-refusal.ts";

export async function deleteVolumeOf(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(deleteOwn, accountId, id, clock.now()));
}

function* deleteOwn(accountId: string, id: string, now: number): Tx<Fault | null> {
  const volume = yield* lockVolume(id);
  if (volume?.accountId !== accountId) return new Fault("network_volume_not_found", { id });
  const users = yield* findUsers(accountId, {
    pod: ({ networkVolumeId }) => networkVolumeId === id,
    endpoint: ({ spec }) => spec.networkVolumeIds.includes(id),
  });
  if (users !== null) return new Fault("network_volume_in_use", { id, users });
  yield* deleteVolume(volume, now);
  return null;
}
