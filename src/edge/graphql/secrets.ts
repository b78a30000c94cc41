// Secrets: their names; a value is never shown.

import { secretCreate } from "../../contract/rest-v1/secret.ts";
import { createSecret } from "../../flows/secret/create.ts";
import { deleteSecretOf } from "../../flows/secret/delete.ts";
import { type SecretName, secretsOf } from "../../flows/secret/read.ts";
import { bodyReader } from "../rest-v1/read-body.ts";
import { accountFor } from "./context.ts";
import type { Fields } from "./fields.ts";
import { given } from "./given.ts";

interface Create {
  name: string;
  value: string;
  description?: string | null;
}

const read = bodyReader(secretCreate, undefined);

export const secretFields: Fields = {
  Mutation: {
    secretCreate: async (_, { input }: { input: Create }, context) => {
      const accountId = accountFor(context, "write");
      const wanted = read(given(input)) as { name: string; value: string; description?: string };
      return secretRead(await createSecret(context.deps, { accountId, ...wanted }));
    },
    secretDelete: async (_, { id }: { id: string }, context) => {
      await deleteSecretOf(context.deps, accountFor(context, "write"), id);
      return null;
    },
  },
  User: {
    secrets: async (_, __, context) =>
      (await secretsOf(context.deps, accountFor(context, "read"))).map(secretRead),
  },
};

function secretRead({ id, name, description, createdAt, changedAt }: SecretName) {
  return { id, name, description, createdAt, updatedAt: changedAt, lastUpdatedAt: changedAt };
}
