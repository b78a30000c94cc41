// Network volumes: storage that outlives the Pods and workers that mount it.

import Type, { type Static } from "typebox";
import { createdBy, labeledList, labels, TAKES } from "../../fields.ts";
import { type Operations, read, write } from "../../operation.ts";
import { closed, name, noContent } from "../fields.ts";

const size = Type.Integer({ minimum: 10, maximum: 4_096, description: "Size in GB." });
const type = Type.Enum(["STANDARD", "HIGH_PERFORMANCE"], {
  default: "STANDARD",
  description: "The class of storage; it cannot change. Both are stored on the machine's disk.",
});

const volumeCreate = closed(
  {
    name,
    size,
    dataCenter: Type.String({ minLength: 1, description: "The data center; it cannot change." }),
    type: Type.Optional(type),
    labels: Type.Optional(labels),
  },
  { title: "VolumeCreate" },
);

const volumePatch = closed(
  { name: Type.Optional(name), size: Type.Optional(size), labels: Type.Optional(labels) },
  {
    title: "VolumePatch",
    minProperties: 1,
    [TAKES]: 'a JSON object with "name", "size", "labels" or several of them',
  },
);

export const volume = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    size: Type.Integer(),
    dataCenter: Type.String(),
    type,
    createdBy: Type.Optional(createdBy),
    labels: Type.Optional({
      ...labels,
      description: "Absent without any. An extension of Freehold.",
    }),
  },
  { title: "Volume" },
);
export type Volume = Static<typeof volume>;

const tag = "Network volumes";
const path = "/v2/network-volumes/{networkVolumeId}";
const answer = { status: 200, description: "The network volume.", schema: volume } as const;

export const networkVolumeOperations = {
  createNetworkVolume: {
    method: "POST",
    path: "/v2/network-volumes",
    tag,
    summary: "Create a network volume",
    needs: write,
    body: volumeCreate,
    once: true,
    answer: { ...answer, status: 201 },
  },
  listNetworkVolumes: {
    method: "GET",
    path: "/v2/network-volumes",
    tag,
    summary: "List network volumes",
    needs: read,
    query: labeledList,
    answer: {
      status: 200,
      description: "The network volumes.",
      schema: Type.Object({ networkVolumes: Type.Array(volume) }, { title: "VolumeList" }),
    },
  },
  getNetworkVolume: {
    method: "GET",
    path,
    tag,
    summary: "Read a network volume",
    needs: read,
    answer,
  },
  updateNetworkVolume: {
    method: "PATCH",
    path,
    tag,
    summary: "Rename a network volume, or let it grow",
    needs: write,
    body: volumePatch,
    answer,
  },
  deleteNetworkVolume: {
    method: "DELETE",
    path,
    tag,
    summary: "Delete a network volume",
    needs: write,
    answer: noContent("The network volume is deleted."),
  },
} as const satisfies Operations;
