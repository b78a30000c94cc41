// Network volumes: folders that outlive the Pods and workers that mount them.

import Type, { type Static } from "typebox";
import { name } from "../fields.ts";
import type { Operations } from "../operation.ts";

const size = Type.Integer({
  minimum: 1,
  maximum: 4_000,
  description: "GB. It takes as much of the disk of the machine that it is on.",
});

/** Clients send a kind of disk; there is one kind here. */
const volumeType = Type.String({ description: "Taken for the sake of clients, and nothing else." });

export const networkVolumeCreate = Type.Object(
  {
    name,
    size,
    dataCenterId: Type.String({ minLength: 1, description: "Where it will be; for good." }),
    volumeType: Type.Optional(volumeType),
  },
  { title: "NetworkVolumeCreate", additionalProperties: false },
);

export const networkVolumeUpdate = Type.Object(
  {
    name: Type.Optional(name),
    size: Type.Optional({ ...size, description: "GB; more than it has." }),
  },
  { title: "NetworkVolumeUpdate", additionalProperties: false },
);

const named = Type.Object({ id: Type.String(), name: Type.String() });

const use = Type.Object(
  {
    usedBytes: Type.Union([Type.Integer(), Type.Null()], {
      description: "What was in it when it was measured last; null before anything has.",
    }),
    pods: Type.Array(named, { description: "That mount it, stopped ones too." }),
    endpoints: Type.Array(named, { description: "Whose workers mount it." }),
  },
  { description: "Only where includeUse asks for it." },
);

/** Some clients refuse to read any further member: what is not asked for is not there. */
export const networkVolume = Type.Object(
  {
    id: Type.String(),
    name,
    size: Type.Integer(),
    dataCenterId: Type.String(),
    use: Type.Optional(use),
  },
  { title: "NetworkVolume" },
);
export type NetworkVolume = Static<typeof networkVolume>;

const one = "/v1/networkvolumes/{networkVolumeId}";
const tag = "Network volumes";
const read = { of: "rest", access: "read" } as const;
const needs = { of: "rest", access: "write" } as const;
const including = Type.Partial(
  Type.Object({
    includeUse: Type.Boolean({
      default: false,
      description: "Also how much is in it and what mounts it. An extension of ours.",
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
    description: "Its data will be on the machine of the first Pod or worker that mounts it.",
    needs,
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
    query: including,
    answer: {
      status: 200,
      description: "The network volumes.",
      schema: Type.Array(networkVolume),
    },
  },
  getNetworkVolume: {
    method: "GET",
    path: one,
    tag,
    summary: "Read a network volume",
    needs: read,
    query: including,
    answer,
  },
  updateNetworkVolume: {
    method: "PATCH",
    path: one,
    also: [{ method: "POST", path: `${one}/update` }],
    tag,
    summary: "Rename a network volume, or let it grow",
    needs,
    body: networkVolumeUpdate,
    answer,
  },
  deleteNetworkVolume: {
    method: "DELETE",
    path: one,
    tag,
    summary: "Delete a network volume with all that is in it",
    description: "Refused while a Pod, stopped ones too, or an endpoint names it.",
    needs,
    answer: { status: 204, description: "It is gone." },
  },
} as const satisfies Operations;
