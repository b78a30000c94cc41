// Meters network volumes: a volume is billed per hour by its size, from its creation to its
// deletion.

import { HOUR_MS } from "../../base/units.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { attribute, endMeter, meter } from "../money/meter.ts";

/** Bills the volume, at its current size, `rate` micro-dollars per hour from `at` on. */
export function* meterVolume(volume: NetworkVolume, rate: number, at: number): Tx<void> {
  const metered = {
    accountId: volume.accountId,
    kind: "volume" as const,
    resourceId: volume.id,
    endpointId: "",
    gpuTypeId: "",
    dataCenterId: volume.dataCenterId,
    imageName: "",
    templateId: "",
    volumeType: volume.type,
    gpus: 0,
    keyId: "",
    ...attributionOf(volume),
    running: true,
    diskGb: volume.size,
    rate,
    diskRate: rate,
  };
  yield* meter(metered, at);
}

/** Records that the volume has other labels or another owner since `at`. */
export function* attributeVolume(volume: NetworkVolume, at: number): Tx<void> {
  yield* attribute(volume.id, attributionOf(volume), at);
}

const attributionOf = ({ owner, labels }: NetworkVolume) => ({
  ownerId: owner?.id ?? null,
  labels,
});

export function* endVolumeMeter(id: string, at: number): Tx<void> {
  yield* endMeter(id, at, HOUR_MS);
}
