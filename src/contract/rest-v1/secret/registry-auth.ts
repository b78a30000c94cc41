// Container registry auths: credentials for the registries of private images.

import Type, { type Static } from "typebox";
import { createdBy, labeledList, labels, name, TAKES } from "../../fields.ts";
import { type Operations, read, write } from "../../operation.ts";

const registry = Type.String({
  maxLength: 260,
  pattern: "^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?$",
  [TAKES]: "a host and its port if it has one, such as ghcr.io or registry.example.org:5000",
  description:
    "The only registry that receives the credentials, docker.io for Docker Hub. If omitted, the " +
    "registry of the first image that is pulled with them.",
});

export const registryAuthCreate = Type.Object(
  {
    name,
    labels: Type.Optional(labels),
    registry: Type.Optional(registry),
    username: Type.String({
      minLength: 1,
      maxLength: 1_000,
      writeOnly: true,
      description: "The user name; never returned.",
    }),
    password: Type.String({
      minLength: 1,
      maxLength: 16_384,
      writeOnly: true,
      description: "A password or a token; never returned.",
    }),
  },
  { title: "ContainerRegistryAuthCreateInput", additionalProperties: false },
);

const registryAuthUpdate = Type.Object(
  { labels: Type.Optional(labels) },
  { title: "ContainerRegistryAuthUpdateInput", additionalProperties: false },
);

const registryAuth = Type.Object(
  {
    id: Type.String(),
    name,
    labels: Type.Optional(labels),
    registry: Type.Optional(registry),
    createdBy: Type.Optional(createdBy),
  },
  { title: "ContainerRegistryAuth" },
);
export type RegistryAuth = Static<typeof registryAuth>;

const registryAuthPath = "/v1/containerregistryauth/{containerRegistryAuthId}";
const tag = "Container registry auths";
const answer = { status: 200, description: "The auth, without its credentials." } as const;

export const registryAuthOperations = {
  createContainerRegistryAuth: {
    method: "POST",
    path: "/v1/containerregistryauth",
    tag,
    summary: "Create a container registry auth",
    description:
      "Names are unique within an account. The credentials are stored encrypted and used only to pull images.",
    needs: write,
    body: registryAuthCreate,
    once: true,
    answer: { ...answer, schema: registryAuth },
  },
  listContainerRegistryAuths: {
    method: "GET",
    path: "/v1/containerregistryauth",
    tag,
    summary: "List container registry auths",
    needs: read,
    query: labeledList,
    answer: { status: 200, description: "The auths.", schema: Type.Array(registryAuth) },
  },
  getContainerRegistryAuth: {
    method: "GET",
    path: registryAuthPath,
    tag,
    summary: "Read a container registry auth",
    needs: read,
    answer: { ...answer, schema: registryAuth },
  },
  updateContainerRegistryAuth: {
    method: "PATCH",
    path: registryAuthPath,
    tag,
    summary: "Change a container registry auth's labels",
    needs: write,
    body: registryAuthUpdate,
    answer: { ...answer, schema: registryAuth },
  },
  deleteContainerRegistryAuth: {
    method: "DELETE",
    path: registryAuthPath,
    tag,
    summary: "Delete a container registry auth",
    description:
      "Fails while a Pod or an endpoint uses it. It is removed from templates that no endpoint " +
      "uses.",
    needs: write,
    answer: { status: 204, description: "The auth is deleted." },
  },
} as const satisfies Operations;
