// Whether an endpoint may have the network volumes that it names.

import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { Fault } from "../../domain/fault.ts";
import { type NetworkVolume, volumeMistakes } from "../../domain/network-volume/network-volume.ts";
import { holdVolume } from "../../store/network-volume/network-volume.ts";
import type { Verb } from "../../store/statement.ts";

/** The fault that names everything wrong, or null; none of them is deleted before the turn's commit. */
export function* cannotMount({
  accountId,
  spec: { networkVolumeIds, dataCenterIds },
}: Pick<Endpoint, "accountId" | "spec">): Verb<Fault | null> {
  const volumes: NetworkVolume[] = [];
  for (const id of networkVolumeIds) {
    const volume = yield* holdVolume(id);
    if (volume?.accountId === accountId) volumes.push(volume);
  }
  const mistakes = volumeMistakes(networkVolumeIds, volumes, dataCenterIds);
  return mistakes.length > 0 ? new Fault("invalid_body", { detail: mistakes.join(" ") }) : null;
}
