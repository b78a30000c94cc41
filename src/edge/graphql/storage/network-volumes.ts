// Network volumes.

import {
  type NetworkVolume,
  networkVolumeCreate,
  networkVolumeUpdate,
} from "../../../contract/rest-v1/storage/network-volume.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { ownedBy } from "../../../flows/member/owner.ts";
import { createVolume } from "../../../flows/network-volume/create.ts";
import { deleteVolumeOf } from "../../../flows/network-volume/delete.ts";
import { readVolume, volumesOf } from "../../../flows/network-volume/read.ts";
import { changeVolumeOf, type VolumeDeps } from "../../../flows/network-volume/update.ts";
import { bodyReader } from "../../management/serve/read-body.ts";
import { networkVolumeRead } from "../../management/storage/network-volume-view.ts";
import type { Resolvers } from "../resolvers/resolvers.generated.ts";
import { accountFor, creatorFor, type GraphqlContext } from "../schema/context.ts";
import { WordedFault } from "../schema/graphql-error.ts";
import { labelList, labelsObject, presentFields, requireInput } from "../schema/input.ts";
import { isFault, nullIfMissing } from "../schema/missing.ts";
import type {
  CreateNetworkVolumeInput,
  UpdateNetworkVolumeInput,
} from "../schema/types.generated.ts";
import { graphqlDataCenter } from "../view/catalog-view.ts";

const readCreateBody = bodyReader(networkVolumeCreate, undefined);
const readUpdateBody = bodyReader(networkVolumeUpdate, undefined);

interface Deps extends FlowDeps, VolumeDeps {}

export const networkVolumeResolvers: Resolvers<GraphqlContext<Deps>> = {
  Mutation: {
    createNetworkVolume: (_, { input }, context) => create(context, requireInput(input)),
    updateNetworkVolume: (_, { input }, context) => update(context, requireInput(input)),
    deleteNetworkVolume: (_, { input }, context) => deleteVolume(context, input.id),
  },
  User: {
    networkVolumes: async (_, { createdBy }, context) => {
      const volumes = await volumesOf(context.deps, accountFor(context, "read"));
      return ownedBy(volumes, createdBy, context.key).map(networkVolumeRead);
    },
  },
  Pod: {
    networkVolume: ({ networkVolumeId }, _, context) => volumeOrNull(context, networkVolumeId),
  },
  Endpoint: {
    networkVolume: ({ networkVolumeId }, _, context) => volumeOrNull(context, networkVolumeId),
    networkVolumeIds: async ({ networkVolumeIds }, _, context) => {
      const volumes = networkVolumeIds.map((id) => volumeOrNull(context, id));
      return (await Promise.all(volumes)).flatMap((volume) =>
        volume ? [{ networkVolumeId: volume.id, dataCenterId: volume.dataCenterId }] : [],
      );
    },
  },
  NetworkVolume: {
    labels: ({ labels }) => labelList(labels),
    dataCenter: ({ dataCenterId }, _, { deps }) => {
      const center = deps.catalog.dataCenters.find(({ id }) => id === dataCenterId);
      return center ? graphqlDataCenter(center) : null;
    },
  },
};

function volumeBody(input: CreateNetworkVolumeInput): object {
  const { labels, ...settings } = presentFields(input);
  return { ...settings, ...(labels && { labels: labelsObject(labels) }) };
}

async function create(
  context: GraphqlContext<Deps>,
  input: CreateNetworkVolumeInput,
): Promise<NetworkVolume> {
  const { deps, once } = context;
  const creator = creatorFor(context);
  const body = readCreateBody(volumeBody(input));
  return networkVolumeRead(await createVolume(deps, { ...body, ...creator, once }));
}

async function update(
  context: GraphqlContext<Deps>,
  { id, ...input }: UpdateNetworkVolumeInput,
): Promise<NetworkVolume> {
  const accountId = accountFor(context, "write");
  const changes = readUpdateBody(volumeBody(input));
  return networkVolumeRead(await changeVolumeOf(context.deps, accountId, id, changes));
}

/** Clients compare this message to learn that nothing is left to delete. */
async function deleteVolume(context: GraphqlContext<Deps>, id: string): Promise<null> {
  try {
    await deleteVolumeOf(context.deps, accountFor(context, "write"), id);
    return null;
  } catch (error) {
    if (!isFault(error, "network_volume_not_found")) throw error;
    const message = `Tried to delete nonexistent network volume ${id.slice(0, 80)}`;
    throw new WordedFault(message, "network_volume_not_found");
  }
}

async function volumeOrNull(context: GraphqlContext<Deps>, id: string | null | undefined) {
  if (!id) return null;
  return nullIfMissing("network_volume_not_found", async () =>
    networkVolumeRead(await readVolume(context.deps, accountFor(context, "read"), id)),
  );
}
