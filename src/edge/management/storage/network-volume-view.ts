// A network volume as clients read it.

import type { NetworkVolume } from "../../../contract/rest-v1/storage/network-volume.ts";
import type { NetworkVolume as DomainVolume } from "../../../domain/network-volume/network-volume.ts";
import { labelsRead } from "../serve/labels.ts";

export function networkVolumeRead(volume: DomainVolume): NetworkVolume {
  const { id, name, size, dataCenterId, owner } = volume;
  return {
    ...{ id, name, size, dataCenterId },
    ...(owner && { createdBy: owner }),
    ...labelsRead(volume),
  };
}
