// Network volumes: storage that outlives the Pods and workers that mount it.

import Type, { type Static } from "typebox";
import { CATALOG, createdBy, labeledList, labels, name } from "../../fields.ts";
import { type Operations, read, write } from "../../operation.ts";

const size = Type.Integer({
  minimum: 1,
  maximum: 4_000,
  description: "Size in GB, reserved on the disk of the volume's machine.",
});

/** Clients send a volume type; there is only one type here. */
const volumeType = Type.String({ description: "Accepted for compatibility and ignored." });

export const networkVolumeCreate = Type.Object(
  {
    name,
    size,
    dataCenterId: Type.String({
      minLength: 1,
      [CATALOG]: "dataCenters",
      description: "The data center of the volume; it cannot change.",
    }),
    volumeType: Type.Optional(volumeType),
    labels: Type.Optional(labels),
  },
  { title: "NetworkVolumeCreateInput", additionalProperties: false },
);

export const networkVolumeUpdate = Type.Object(
  {
    name: Type.Optional(name),
    size: Type.Optional({
      ...size,
      description: "New size in GB; it must be larger than the current size.",
    }),
    labels: Type.Optional(labels),
  },
  { title: "NetworkVolumeUpdateInput", additionalProperties: false },
);

const reference = Type.Object({ id: Type.String(), name: Type.String() });

const usage = Type.Object(
  {
    usedBytes: Type.Union([Type.Integer(), Type.Null()], {
      description: "Used bytes at the last measurement; null before the first one.",
    }),
    pods: Type.Array(reference, {
      description: "Pods that mount the volume, including stopped ones.",
    }),
    endpoints: Type.Array(reference, { description: "Endpoints whose workers mount the volume." }),
  },
  { description: "Usage of the volume; only with includeUse." },
);

/** Some clients reject unknown members, so optional ones are absent unless requested. */
export const networkVolume = Type.Object(
  {
    id: Type.String(),
    name,
    size: Type.Integer(),
    dataCenterId: Type.String(),
    createdBy: Type.Optional(createdBy),
    labels: Type.Optional({ ...labels, description: "Absent without any." }),
    use: Type.Optional(usage),
  },
  { title: "NetworkVolume" },
);
export type NetworkVolume = Static<typeof networkVolume>;

const networkVolumePath = "/v1/networkvolumes/{networkVolumeId}";
const tag = "Network volumes";
const includeFlags = Type.Partial(
  Type.Object({
    includeUse: Type.Boolean({
      default: false,
      description: "Include the volume's usage. An extension of Freehold.",
    }),
  }),
);
const answer = { status: 200, description: "The network volume.", schema: networkVolume } as const;

export const networkVolumeOperations = {
  createNetworkVolume: {
    method: "POST",
    path: "/v1/networkvolumes",
    tag,
    summary: "Create a network volume",
    description:
      "The data is stored on the machine of the first Pod or worker that mounts the volume.",
    needs: write,
    body: networkVolumeCreate,
    once: true,
    answer,
  },
  listNetworkVolumes: {
    method: "GET",
    path: "/v1/networkvolumes",
    tag,
    summary: "List network volumes",
    needs: read,
    query: Type.Object({
      ...labeledList.properties,
      ...includeFlags.properties,
    }),
    answer: {
      status: 200,
      description: "The network volumes.",
      schema: Type.Array(networkVolume),
    },
  },
  getNetworkVolume: {
    method: "GET",
    path: networkVolumePath,
    tag,
    summary: "Read a network volume",
    needs: read,
    query: includeFlags,
    answer,
  },
  updateNetworkVolume: {
    method: "PATCH",
    path: networkVolumePath,
    also: [{ method: "POST", path: `${networkVolumePath}/update` }],
    tag,
    summary: "Rename, label or grow a network volume",
    needs: write,
    body: networkVolumeUpdate,
    answer,
  },
  deleteNetworkVolume: {
    method: "DELETE",
    path: networkVolumePath,
    tag,
    summary: "Delete a network volume and its data",
    description: "Fails while an endpoint or a Pod uses the volume, even a stopped Pod.",
    needs: write,
    answer: { status: 204, description: "The network volume is deleted." },
  },
} as const satisfies Operations;
