// Network volumes, registries, secrets and SSH keys through every interface.

import { findVolume } from "../../../src/store/network-volume/network-volume.ts";
import { findRegistryAuth } from "../../../src/store/registry-auth/registry-auth.ts";
import { findSecret } from "../../../src/store/secret/secret.ts";
import type { Calls, Resource } from "./resource.ts";

/** The item of a list of the account over GraphQL. */
async function ofAccount({ graphql }: Calls, list: string, fields: string, id: string) {
  const { myself } = await graphql(`{ myself { ${list} { id ${fields} } } }`);
  return myself[list].find((each: { id: string }) => each.id === id);
}

const CENTER = "EU-RO-1";
const update =
  "mutation ($input: UpdateNetworkVolumeInput!) { updateNetworkVolume(input: $input) { id } }";

export const volumes: Resource = {
  noun: "network volume",
  create: {
    v1: async ({ rest }, name) =>
      (await rest("POST", "/v1/networkvolumes", { name, size: 10, dataCenterId: CENTER })).id,
    v2: async ({ rest }, name) => {
      const body = { name, size: 10, dataCenter: CENTER, type: "HIGH_PERFORMANCE" };
      return (await rest("POST", "/v2/network-volumes", body, 201)).id;
    },
    graphql: async ({ graphql }, name) => {
      const input = { name, size: 10, dataCenterId: CENTER };
      const document =
        "mutation ($input: CreateNetworkVolumeInput!) { createNetworkVolume(input: $input) { id } }";
      return (await graphql(document, { input })).createNetworkVolume.id;
    },
  },
  read: {
    v1: async ({ rest }, id) => {
      const { name, size, dataCenterId: center } = await rest("GET", `/v1/networkvolumes/${id}`);
      return { name, size, center };
    },
    v2: async ({ rest }, id) => {
      const { name, size, dataCenter: center } = await rest("GET", `/v2/network-volumes/${id}`);
      return { name, size, center };
    },
    graphql: async (calls, id) => {
      const read = await ofAccount(calls, "networkVolumes", "name size dataCenterId", id);
      return { name: read.name, size: read.size, center: read.dataCenterId };
    },
  },
  change: {
    v1: ({ rest }, id, name) => rest("PATCH", `/v1/networkvolumes/${id}`, { name }),
    v2: ({ rest }, id, name) => rest("PATCH", `/v2/network-volumes/${id}`, { name }),
    graphql: ({ graphql }, id, name) => graphql(update, { input: { id, name } }),
  },
  echo: {
    v1: async ({ rest }, id) => {
      const { name } = await rest("GET", `/v1/networkvolumes/${id}`);
      return rest("PATCH", `/v1/networkvolumes/${id}`, { name });
    },
    v2: async ({ rest }, id) => {
      const { name, size } = await rest("GET", `/v2/network-volumes/${id}`);
      return rest("PATCH", `/v2/network-volumes/${id}`, { name, size });
    },
    graphql: async (calls, id) => {
      const input = await ofAccount(calls, "networkVolumes", "name", id);
      return calls.graphql(update, { input });
    },
  },
  stored: async ({ service }, id) => (await service.service.store.read(findVolume, id))!,
  changes: ["name"],
};

const login = { username: "u", password: "p" };

export const registries: Resource = {
  noun: "registry",
  create: {
    v1: async ({ rest }, name) =>
      (await rest("POST", "/v1/containerregistryauth", { name, ...login })).id,
    v2: async ({ rest }, name) =>
      (await rest("POST", "/v2/registries", { name, ...login }, 201)).id,
    graphql: async ({ graphql }, name) => {
      const document =
        "mutation ($input: SaveRegistryAuthInput!) { saveRegistryAuth(input: $input) { id } }";
      return (await graphql(document, { input: { name, ...login } })).saveRegistryAuth.id;
    },
  },
  read: {
    v1: async ({ rest }, id) => {
      const { name } = await rest("GET", `/v1/containerregistryauth/${id}`);
      return { name };
    },
    v2: async ({ rest }, id) => {
      const { name } = await rest("GET", `/v2/registries/${id}`);
      return { name };
    },
    graphql: async (calls, id) => {
      const { name } = await ofAccount(calls, "containerRegistryCreds", "name", id);
      return { name };
    },
  },
  change: {},
  echo: {},
  stored: async ({ service }, id) => (await service.service.store.read(findRegistryAuth, id))!,
  changes: [],
};

export const secrets: Resource = {
  noun: "secret",
  create: {
    v1: async ({ rest }, name) =>
      (await rest("POST", "/v1/secrets", { name: word(name), value: "v", description: "d" })).id,
    v2: async ({ rest }, name) => {
      const body = { name: word(name), value: "v", description: "d" };
      return (await rest("POST", "/v2/account/secrets", body, 201)).id;
    },
    graphql: async ({ graphql }, name) => {
      const input = { name: word(name), value: "v", description: "d" };
      const document =
        "mutation ($input: SecretCreateInput!) { secretCreate(input: $input) { id } }";
      return (await graphql(document, { input })).secretCreate.id;
    },
  },
  read: {
    v1: async ({ rest }, id) => {
      const { name, description } = await rest("GET", `/v1/secrets/${id}`);
      return { name, description };
    },
    v2: async ({ rest }, id) => {
      const { name, description } = await rest("GET", `/v2/account/secrets/${id}`);
      return { name, description };
    },
    graphql: async (calls, id) => {
      const { name, description } = await ofAccount(calls, "secrets", "name description", id);
      return { name, description };
    },
  },
  change: {
    v1: ({ rest }, id, description) => rest("PATCH", `/v1/secrets/${id}`, { description }),
    v2: ({ rest }, id, description) => rest("PATCH", `/v2/account/secrets/${id}`, { description }),
  },
  echo: {
    v1: async ({ rest }, id) => {
      const { description } = await rest("GET", `/v1/secrets/${id}`);
      return rest("PATCH", `/v1/secrets/${id}`, { description });
    },
    v2: async ({ rest }, id) => {
      const { description } = await rest("GET", `/v2/account/secrets/${id}`);
      return rest("PATCH", `/v2/account/secrets/${id}`, { description });
    },
  },
  stored: async ({ service }, id) => {
    const { changedAt, ...secret } = (await service.service.store.read(findSecret, id))!;
    return secret;
  },
  changes: ["description"],
};

const word = (name: string) => name.replaceAll(" ", "_");
