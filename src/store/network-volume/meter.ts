// A network volume's meter: it costs by its size, by the hour, from its making to its deletion.

import { HOUR_MS } from "../../domain/money/owed.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import { endMeter, meter } from "../money/usage.ts";
import type { Verb } from "../statement.ts";

/** `rate` in micro-dollars per hour, of its size from now on. */
export function* meterVolume(volume: NetworkVolume, rate: number, at: number): Verb<void> {
  const thing = {
    accountId: volume.accountId,
    kind: "volume" as const,
    resourceId: volume.id,
    endpointId: "",
    gpuTypeId: "",
    dataCenterId: volume.dataCenterId,
    imageName: "",
    templateId: "",
    keyId: "",
    running: true,
    diskGb: volume.size,
    rate,
  };
  yield* meter(thing, at);
}

export function* endVolumeMeter(id: string, at: number): Verb<void> {
  yield* endMeter(id, at, HOUR_MS);
}
