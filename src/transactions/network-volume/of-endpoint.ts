// Checks that an endpoint can mount the network volumes that it names.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { Fault } from "../../domain/fault.ts";
import { type NetworkVolume, validateVolume } from "../../domain/network-volume/network-volume.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockVolumeShared } from "../../store/network-volume/network-volume.ts";

/**
 * Returns a fault with all errors, or null. The volumes cannot be deleted until the transaction
 * commits.
 */
export function* requireMountableVolumes({
  accountId,
  spec: { networkVolumeIds, dataCenterIds },
}: Pick<Endpoint, "accountId" | "spec">): Tx<Fault | null> {
  const volumes: NetworkVolume[] = [];
  for (const id of networkVolumeIds) {
    const volume = yield* lockVolumeShared(id);
    if (volume?.accountId === accountId) volumes.push(volume);
  }
  const errors = validateVolume(networkVolumeIds, volumes, dataCenterIds);
  return errors.length > 0 ? new Fault("invalid_body", { detail: errors.join(" ") }) : null;
}
