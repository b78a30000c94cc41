// Registries: credentials for private images, and delegations of cloud registries.

import Type from "typebox";
import { createdBy, labeledList, labels, TAKES } from "../../fields.ts";
import { type Operations, read, write } from "../../operation.ts";
import { registryAuthCreate } from "../../rest-v1/secret/registry-auth.ts";
import { closed, noContent, orNull } from "../fields.ts";

const tag = "Registries";
const path = "/v2/registries/{registryId}";
const { name, username, password } = registryAuthCreate.properties;

const registryCreate = closed(
  {
    name,
    labels: Type.Optional(labels),
    username: Type.String({ ...username, maxLength: 191 }),
    password,
  },
  { title: "RegistryCreate" },
);

const registryPatch = closed(
  { labels: Type.Optional(labels) },
  { title: "RegistryPatch", minProperties: 1, [TAKES]: 'a JSON object with "labels"' },
);

const registry = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    labels: Type.Optional(labels),
    createdBy: Type.Optional(createdBy),
  },
  { title: "Registry" },
);

const delegation = Type.Object(
  { id: Type.String(), name: orNull(Type.String(), "a string") },
  { title: "EcrDelegation" },
);

const delegationCreate = closed(
  { resource: Type.String(), name: Type.Optional(orNull(Type.String(), "a string")) },
  { title: "DelegationCreate" },
);

const answer = {
  status: 200,
  description: "The registry, without its credentials.",
  schema: registry,
} as const;

export const registryOperations = {
  createRegistry: {
    method: "POST",
    path: "/v2/registries",
    tag,
    summary: "Save credentials of a registry",
    needs: write,
    body: registryCreate,
    once: true,
    answer: { ...answer, status: 201 },
  },
  listRegistries: {
    method: "GET",
    path: "/v2/registries",
    tag,
    summary: "List registries",
    needs: read,
    query: labeledList,
    answer: {
      status: 200,
      description: "The registries.",
      schema: Type.Object({ registries: Type.Array(registry) }, { title: "RegistryList" }),
    },
  },
  getRegistry: { method: "GET", path, tag, summary: "Read a registry", needs: read, answer },
  updateRegistry: {
    method: "PATCH",
    path,
    tag,
    summary: "Change a registry's labels",
    needs: write,
    body: registryPatch,
    answer,
  },
  deleteRegistry: {
    method: "DELETE",
    path,
    tag,
    summary: "Delete a registry",
    description: "Fails while a Pod or an endpoint uses it. Templates lose it.",
    needs: write,
    answer: noContent("The registry is deleted."),
  },
  listDelegations: {
    method: "GET",
    path: "/v2/registries/delegations",
    tag,
    summary: "List delegations",
    description: "Always empty: delegations belong to a cloud provider's registry.",
    needs: read,
    answer: {
      status: 200,
      description: "The delegations.",
      schema: Type.Object({ delegations: Type.Array(delegation) }, { title: "DelegationList" }),
    },
  },
  createDelegation: {
    method: "POST",
    path: "/v2/registries/delegations",
    tag,
    summary: "Create a delegation",
    description: "Not offered: the answer is 400 not_offered.",
    needs: write,
    body: delegationCreate,
    answer: { status: 201, description: "The delegation.", schema: delegation },
  },
  deleteDelegation: {
    method: "DELETE",
    path: "/v2/registries/delegations/{delegationId}",
    tag,
    summary: "Delete a delegation",
    needs: write,
    answer: noContent("The delegation is deleted."),
  },
} as const satisfies Operations;
