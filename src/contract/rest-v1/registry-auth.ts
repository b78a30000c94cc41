// Container registry auths: what opens the registries of private images.

import Type, { type Static } from "typebox";
import { name } from "../fields.ts";
import type { Operations } from "../operation.ts";

export const registryAuthCreate = Type.Object(
  {
    name,
    username: Type.String({
      minLength: 1,
      maxLength: 1_000,
      writeOnly: true,
      description: "Never shown again.",
    }),
    password: Type.String({
      minLength: 1,
      maxLength: 16_384,
      writeOnly: true,
      description: "A password or a token; never shown again.",
    }),
  },
  { title: "ContainerRegistryAuthCreate", additionalProperties: false },
);

export const registryAuth = Type.Object(
  { id: Type.String(), name },
  { title: "ContainerRegistryAuth" },
);
export type RegistryAuth = Static<typeof registryAuth>;

const one = "/v1/containerregistryauth/{containerRegistryAuthId}";
const tag = "Container registry auths";
const read = { of: "rest", access: "read" } as const;
const needs = { of: "rest", access: "write" } as const;
const answer = { status: 200, description: "The auth, without what it holds." } as const;

export const registryAuthOperations = {
  createContainerRegistryAuth: {
    method: "POST",
    path: "/v1/containerregistryauth",
    tag,
    summary: "Keep the credentials of a registry",
    description:
      "Names are unique within an account, so no Idempotency-Key is taken. What it holds is " +
      "encrypted and used for pulls alone.",
    needs,
    body: registryAuthCreate,
    answer: { ...answer, schema: registryAuth },
  },
  listContainerRegistryAuths: {
    method: "GET",
    path: "/v1/containerregistryauth",
    tag,
    summary: "List container registry auths",
    needs: read,
    answer: { status: 200, description: "The auths.", schema: Type.Array(registryAuth) },
  },
  getContainerRegistryAuth: {
    method: "GET",
    path: one,
    tag,
    summary: "Read a container registry auth",
    needs: read,
    answer: { ...answer, schema: registryAuth },
  },
  deleteContainerRegistryAuth: {
    method: "DELETE",
    path: one,
    tag,
    summary: "Delete a container registry auth",
    description:
      "Refused while a Pod or an endpoint uses it. Templates that name it, and that no endpoint " +
      "uses, name none from then on.",
    needs,
    answer: { status: 204, description: "It is gone." },
  },
} as const satisfies Operations;
