// Routes of /v2/network-volumes.

import type { FastifyInstance } from "fastify";
import {
  networkVolumeOperations,
  type Volume,
  volume as volumeSchema,
} from "../../../contract/rest-v2/storage/network-volume.ts";
import { creatorOf } from "../../../domain/account.ts";
import type { NetworkVolume, VolumeTerms } from "../../../domain/network-volume/network-volume.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { ownedBy } from "../../../flows/member/owner.ts";
import { createVolume, type NewVolume } from "../../../flows/network-volume/create.ts";
import { deleteVolumeOf } from "../../../flows/network-volume/delete.ts";
import { readVolume, volumesOf } from "../../../flows/network-volume/read.ts";
import { changeVolumeOf, type VolumeDeps } from "../../../flows/network-volume/update.ts";
import { labeledAs, labelsRead } from "../../management/serve/labels.ts";
import { shownFields, type Whole } from "../../management/serve/take-fields.ts";
import { serveRestV2 } from "../serve/serve.ts";

export function networkVolumeRoutes(app: FastifyInstance, deps: FlowDeps & VolumeDeps): void {
  serveRestV2(app, networkVolumeOperations, {
    async createNetworkVolume({ key, body, once }) {
      const { dataCenter: dataCenterId, ...volume } = body;
      volume satisfies Whole<typeof volume, NewVolume>;
      const created = { ...volume, dataCenterId, ...creatorOf(key), once };
      return volumeRead(await createVolume(deps, created));
    },
    async listNetworkVolumes({ accountId, key, query }) {
      const owned = ownedBy(await volumesOf(deps, accountId), query.createdBy, key);
      return { networkVolumes: labeledAs(query, owned).map(volumeRead) };
    },
    async getNetworkVolume({ accountId, params }) {
      return volumeRead(await readVolume(deps, accountId, params.networkVolumeId));
    },
    async updateNetworkVolume({ accountId, params, body: { size, ...terms } }) {
      terms satisfies Whole<typeof terms, VolumeTerms>;
      const before = await readVolume(deps, accountId, params.networkVolumeId);
      const changes = {
        ...terms,
        // REST v1 refuses the size that a volume has; here it changes nothing.
        ...(size !== undefined && size !== before.size && { size }),
      };
      return volumeRead(await changeVolumeOf(deps, accountId, before.id, changes));
    },
    async deleteNetworkVolume({ accountId, params }) {
      await deleteVolumeOf(deps, accountId, params.networkVolumeId);
    },
  });
}

function volumeRead({ owner, labels, ...volume }: NetworkVolume): Volume {
  return {
    ...shownFields(volume, volumeSchema.properties),
    dataCenter: volume.dataCenterId,
    ...(owner && { createdBy: owner }),
    ...labelsRead({ labels }),
  };
}
