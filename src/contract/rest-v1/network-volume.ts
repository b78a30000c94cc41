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

/** Some clients refuse to read any further member. */
export const networkVolume = Type.Object(
  { id: Type.String(), name, size: Type.Integer(), dataCenterId: Type.String() },
  { title: "NetworkVolume" },
);
export type NetworkVolume = Static<typeof networkVolume>;

const one = "/v1/networkvolumes/{networkVolumeId}";
const tag = "Network volumes";
const read = { of: "rest", access: "read" } as const;
const needs = { of: "rest", access: "write" } as const;
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
