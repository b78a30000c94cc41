// Container registry auths: their names; what they hold is never shown.

import { registryAuthCreate } from "../../contract/rest-v1/registry-auth.ts";
import { createRegistryAuth } from "../../flows/registry-auth/create.ts";
import { deleteRegistryAuthOf } from "../../flows/registry-auth/delete.ts";
import {
  type AuthName,
  readRegistryAuth,
  registryAuthsOf,
} from "../../flows/registry-auth/read.ts";
import { changeRegistryAuthOf } from "../../flows/registry-auth/update.ts";
import { bodyReader } from "../rest-v1/read-body.ts";
import { accountFor, type Context } from "./context.ts";
import type { Fields } from "./fields.ts";
import { needed } from "./pods.ts";

interface Save {
  name: string;
  username: string;
  password: string;
}

type Update = Omit<Save, "name"> & { id: string };

const read = bodyReader(registryAuthCreate, undefined);

export const registryAuthFields: Fields = {
  Mutation: {
    saveRegistryAuth: (_, { input }: { input?: Save | null }, context) =>
      create(context, needed(input)),
    updateRegistryAuth: (_, { input }: { input?: Update | null }, context) =>
      update(context, needed(input)),
    deleteRegistryAuth: async (_, { registryAuthId }: { registryAuthId: string }, context) => {
      await deleteRegistryAuthOf(context.deps, accountFor(context, "write"), registryAuthId);
      return null;
    },
  },
  User: {
    containerRegistryCreds: async (_, __, context) => {
      const auths = await registryAuthsOf(context.deps, accountFor(context, "read"));
      return auths.map((auth) => nameOnly(context, auth));
    },
  },
};

async function create(context: Context, input: Save) {
  const accountId = accountFor(context, "write");
  const wanted = { accountId, ...(read({ ...input }) as Save) };
  return nameOnly(context, await createRegistryAuth(context.deps, wanted));
}

async function update(context: Context, { id, ...credentials }: Update) {
  const accountId = accountFor(context, "write");
  const { name } = await readRegistryAuth(context.deps, accountId, id);
  const { username, password } = read({ name, ...credentials }) as Save;
  const changes = { username, password };
  return nameOnly(context, await changeRegistryAuthOf(context.deps, accountId, id, changes));
}

function nameOnly(context: Context, { id, name }: AuthName) {
  return { id, name, userId: context.key?.accountId, registryAuth: null };
}
