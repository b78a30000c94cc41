// Secrets. Clients read their names; the values are never shown.

import { secretCreate } from "../../../contract/rest-v1/secret/secret.ts";
import { ownedBy } from "../../../flows/member/owner.ts";
import { createSecret } from "../../../flows/secret/create.ts";
import { deleteSecretOf } from "../../../flows/secret/delete.ts";
import { type SecretName, secretsOf } from "../../../flows/secret/read.ts";
import type { VaultDeps } from "../../management/deps.ts";
import { bodyReader } from "../../management/serve/read-body.ts";
import type { Resolvers } from "../resolvers/resolvers.generated.ts";
import { accountFor, type Context, creatorFor } from "../schema/context.ts";
import { presentFields } from "../schema/input.ts";

const readBody = bodyReader(secretCreate, undefined);

export const secretResolvers: Resolvers<Context<VaultDeps>> = {
  Mutation: {
    secretCreate: async (_, { input }, context) => {
      const creator = creatorFor(context);
      const secret = readBody(presentFields(input));
      return graphqlSecret(
        await createSecret(context.deps, { ...secret, ...creator, once: context.once }),
      );
    },
    secretDelete: async (_, { id }, context) => {
      await deleteSecretOf(context.deps, accountFor(context, "write"), id);
      return null;
    },
  },
  User: {
    secrets: async (_, { createdBy }, context) => {
      const secrets = await secretsOf(context.deps, accountFor(context, "read"));
      return ownedBy(secrets, createdBy, context.key).map(graphqlSecret);
    },
  },
};

function graphqlSecret({ id, name, description, createdAt, changedAt, owner }: SecretName) {
  const times = { createdAt, updatedAt: changedAt, lastUpdatedAt: changedAt };
  return { id, name, description, ...times, createdBy: owner ?? null };
}
