// A network volume as clients read it.

import {
  type NetworkVolume,
  networkVolume as volumeSchema,
} from "../../../contract/rest-v1/storage/network-volume.ts";
import type { NetworkVolume as DomainVolume } from "../../../domain/network-volume/network-volume.ts";
import { labelsRead } from "../serve/labels.ts";
import { shownFields } from "../serve/take-fields.ts";

export function networkVolumeRead({ owner, labels, ...volume }: DomainVolume): NetworkVolume {
  return {
    ...shownFields(volume, volumeSchema.properties),
    ...(owner && { createdBy: owner }),
    ...labelsRead({ labels }),
  };
}
