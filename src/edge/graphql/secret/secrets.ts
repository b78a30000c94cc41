// Secrets. Clients read their names; the values are never shown.

import { secretCreate } from "../../../contract/rest-v1/secret/secret.ts";
import { createSecret } from "../../../flows/secret/create.ts";
import { deleteSecretOf } from "../../../flows/secret/delete.ts";
import { type SecretName, secretsOf } from "../../../flows/secret/read.ts";
import { bodyReader } from "../../management/serve/read-body.ts";
import { accountFor } from "../schema/context.ts";
import { presentFields } from "../schema/input.ts";
import type { Resolvers } from "../schema/types.generated.ts";

const readBody = bodyReader(secretCreate, undefined);

export const secretResolvers: Resolvers = {
  Mutation: {
    secretCreate: async (_, { input }, context) => {
      const accountId = accountFor(context, "write");
      const body = readBody(presentFields(input));
      const secret = body as { name: string; value: string; description?: string };
      return graphqlSecret(
        await createSecret(context.deps, { accountId, ...secret, once: context.once }),
      );
    },
    secretDelete: async (_, { id }, context) => {
      await deleteSecretOf(context.deps, accountFor(context, "write"), id);
      return null;
    },
  },
  User: {
    secrets: async (_, __, context) =>
      (await secretsOf(context.deps, accountFor(context, "read"))).map(graphqlSecret),
  },
};

function graphqlSecret({ id, name, description, createdAt, changedAt }: SecretName) {
  return { id, name, description, createdAt, updatedAt: changedAt, lastUpdatedAt: changedAt };
}
