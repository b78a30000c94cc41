// /v1/networkvolumes.

import type { FastifyInstance } from "fastify";
import {
  type NetworkVolume,
  networkVolumeOperations,
} from "../../../contract/rest-v1/storage/network-volume.ts";
import { creatorOf } from "../../../domain/account.ts";
import type { NetworkVolume as DomainVolume } from "../../../domain/network-volume/network-volume.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { ownedBy } from "../../../flows/member/owner.ts";
import { createVolume, type NewVolume } from "../../../flows/network-volume/create.ts";
import { deleteVolumeOf } from "../../../flows/network-volume/delete.ts";
import { readVolume, volumesOf } from "../../../flows/network-volume/read.ts";
import { changeVolumeOf, type VolumeDeps } from "../../../flows/network-volume/update.ts";
import { usesOfVolumes, type VolumeUseView } from "../../../flows/network-volume/use.ts";
import { labeledAs } from "../../management/serve/labels.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import type { Whole } from "../../management/serve/take-fields.ts";
import { networkVolumeRead } from "../../management/storage/network-volume-view.ts";

export function networkVolumeRoutes(app: FastifyInstance, deps: FlowDeps & VolumeDeps): void {
  const withUse = async (accountId: string, volumes: DomainVolume[]): Promise<NetworkVolume[]> => {
    const useOf = await usesOfVolumes(deps, accountId);
    return volumes.map((volume) => ({
      ...networkVolumeRead(volume),
      use: useRead(useOf(volume.id)),
    }));
  };
  serveOperations(app, networkVolumeOperations, {
    async createNetworkVolume({ key, body, once }) {
      const { volumeType: _, ...volume } = body;
      volume satisfies Whole<typeof volume, NewVolume>;
      return networkVolumeRead(await createVolume(deps, { ...volume, ...creatorOf(key), once }));
    },
    async listNetworkVolumes({ accountId, key, query }) {
      const owned = ownedBy(await volumesOf(deps, accountId), query.createdBy, key);
      const volumes = labeledAs(query, owned);
      return query.includeUse ? withUse(accountId, volumes) : volumes.map(networkVolumeRead);
    },
    async getNetworkVolume({ accountId, params, query }) {
      const volume = await readVolume(deps, accountId, params.networkVolumeId);
      return query.includeUse ? one(await withUse(accountId, [volume])) : networkVolumeRead(volume);
    },
    async updateNetworkVolume({ accountId, params, body }) {
      body satisfies Whole<typeof body, Parameters<typeof changeVolumeOf>[3]>;
      return networkVolumeRead(await changeVolumeOf(deps, accountId, params.networkVolumeId, body));
    },
    async deleteNetworkVolume({ accountId, params }) {
      await deleteVolumeOf(deps, accountId, params.networkVolumeId);
    },
  });
}

const one = ([volume]: NetworkVolume[]) => volume!;

const named = ({ id, name }: { id: string; name: string }) => ({ id, name });

function useRead({ usedBytes, pods, endpoints }: VolumeUseView): NetworkVolume["use"] {
  return { usedBytes, pods: pods.map(named), endpoints: endpoints.map(named) };
}
