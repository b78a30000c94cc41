// Network volumes.

import {
  type NetworkVolume,
  networkVolumeCreate,
  networkVolumeUpdate,
} from "../../contract/rest-v1/network-volume.ts";
import { createVolume } from "../../flows/network-volume/create.ts";
import { deleteVolumeOf } from "../../flows/network-volume/delete.ts";
import { readVolume, volumesOf } from "../../flows/network-volume/read.ts";
import { changeVolumeOf, type VolumeChanges } from "../../flows/network-volume/update.ts";
import { networkVolumeRead } from "../rest-v1/network-volumes.ts";
import { bodyReader } from "../rest-v1/read-body.ts";
import { dataCenter } from "./catalog.ts";
import { accountFor, type Context } from "./context.ts";
import type { Fields } from "./fields.ts";
import { given } from "./given.ts";
import { isFault, needed, orNull } from "./pods.ts";
import { WordedFault } from "./refusals.ts";

const readNew = bodyReader(networkVolumeCreate, undefined);
const readChanges = bodyReader(networkVolumeUpdate, undefined);

interface VolumeInput {
  id?: string;
  name?: string | null;
  size?: number | null;
  dataCenterId?: string | null;
}

export const networkVolumeFields: Fields = {
  Mutation: {
    createNetworkVolume: (_, { input }: { input?: VolumeInput | null }, context) =>
      create(context, needed(input)),
    updateNetworkVolume: (_, { input }: { input?: VolumeInput | null }, context) =>
      update(context, needed(input)),
    deleteNetworkVolume: (_, { input }: { input: { id: string } }, context) =>
      drop(context, input.id),
  },
  User: {
    networkVolumes: async (_, __, context) =>
      (await volumesOf(context.deps, accountFor(context, "read"))).map(networkVolumeRead),
  },
  Pod: {
    networkVolume: ({ networkVolumeId }: { networkVolumeId?: string }, _, context) =>
      volumeOrNull(context, networkVolumeId),
  },
  Endpoint: {
    networkVolume: ({ networkVolumeId }: { networkVolumeId: string | null }, _, context) =>
      volumeOrNull(context, networkVolumeId),
    networkVolumeIds: async ({ networkVolumeIds }: { networkVolumeIds: string[] }, _, context) => {
      const volumes = networkVolumeIds.map((id) => volumeOrNull(context, id));
      return (await Promise.all(volumes)).flatMap((volume) =>
        volume ? [{ networkVolumeId: volume.id, dataCenterId: volume.dataCenterId }] : [],
      );
    },
  },
  NetworkVolume: {
    dataCenter: ({ dataCenterId }: NetworkVolume, _, { deps }) => {
      const center = deps.catalog.dataCenters.find(({ id }) => id === dataCenterId);
      return center ? dataCenter(center) : null;
    },
  },
};

async function create(context: Context, input: VolumeInput): Promise<NetworkVolume> {
  const { deps, once } = context;
  const accountId = accountFor(context, "write");
  const body = readNew(given(input)) as { name: string; size: number; dataCenterId: string };
  return networkVolumeRead(await createVolume(deps, { accountId, ...body, once }));
}

async function update(
  context: Context,
  { id = "", ...input }: VolumeInput,
): Promise<NetworkVolume> {
  const accountId = accountFor(context, "write");
  const changes = readChanges(given(input)) as VolumeChanges;
  return networkVolumeRead(await changeVolumeOf(context.deps, accountId, id, changes));
}

/** Clients tell by these words that there is nothing left to do. */
async function drop(context: Context, id: string): Promise<null> {
  try {
    await deleteVolumeOf(context.deps, accountFor(context, "write"), id);
    return null;
  } catch (error) {
    if (!isFault(error, "network_volume_not_found")) throw error;
    const message = `Tried to delete nonexistent network volume ${id.slice(0, 80)}`;
    throw new WordedFault(message, "network_volume_not_found");
  }
}

async function volumeOrNull(context: Context, id: string | null | undefined) {
  if (!id) return null;
  return orNull("network_volume_not_found", async () =>
    networkVolumeRead(await readVolume(context.deps, accountFor(context, "read"), id)),
  );
}
