// A client deletes a network volume that nothing uses. It is gone at once for clients; its machine
// removes the data.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { dropVolume } from "../../store/network-volume/dropped.ts";
import { lockVolume } from "../../store/network-volume/network-volume.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { usersOf } from "../users.ts";

export async function deleteVolumeOf(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  id: string,
): Promise<void> {
  const refusal = await store.write(drop, accountId, id, clock.now());
  if (refusal) throw refusal;
}

function* drop(accountId: string, id: string, now: number): Verb<Fault | null> {
  const volume = yield* lockVolume(id);
  if (volume?.accountId !== accountId) return new Fault("network_volume_not_found", { id });
  const users = yield* usersOf(accountId, {
    pod: ({ networkVolumeId }) => networkVolumeId === id,
    endpoint: ({ spec }) => spec.networkVolumeIds.includes(id),
  });
  if (users !== null) return new Fault("network_volume_in_use", { id, users });
  yield* dropVolume(volume, now);
  return null;
}
