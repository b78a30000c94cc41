// /v1/networkvolumes.

import type { FastifyInstance } from "fastify";
import {
  type NetworkVolume,
  networkVolumeOperations,
} from "../../contract/rest-v1/network-volume.ts";
import type { NetworkVolume as Kept } from "../../domain/network-volume/network-volume.ts";
import { createVolume } from "../../flows/network-volume/create.ts";
import { deleteVolumeOf } from "../../flows/network-volume/delete.ts";
import { readVolume, volumesOf } from "../../flows/network-volume/read.ts";
import { changeVolumeOf } from "../../flows/network-volume/update.ts";
import type { RestDeps } from "./deps.ts";
import { serve } from "./serve.ts";

export function networkVolumeRoutes(app: FastifyInstance, deps: RestDeps): void {
  serve(app, networkVolumeOperations, {
    async createNetworkVolume({ accountId, body, once }) {
      const { volumeType: _, ...wanted } = body;
      return networkVolumeRead(await createVolume(deps, { accountId, ...wanted, once }));
    },
    async listNetworkVolumes({ accountId }) {
      return (await volumesOf(deps, accountId)).map(networkVolumeRead);
    },
    async getNetworkVolume({ accountId, params }) {
      return networkVolumeRead(await readVolume(deps, accountId, params.networkVolumeId));
    },
    async updateNetworkVolume({ accountId, params, body }) {
      return networkVolumeRead(await changeVolumeOf(deps, accountId, params.networkVolumeId, body));
    },
    async deleteNetworkVolume({ accountId, params }) {
      await deleteVolumeOf(deps, accountId, params.networkVolumeId);
    },
  });
}

export function networkVolumeRead({ id, name, size, dataCenterId }: Kept): NetworkVolume {
  return { id, name, size, dataCenterId };
}
