// Secrets. Clients read their names; the values are never shown.

import { secretCreate } from "../../../contract/rest-v1/secret/secret.ts";
import { ownedBy } from "../../../flows/member/owner.ts";
import { createSecret } from "../../../flows/secret/create.ts";
import { deleteSecretOf } from "../../../flows/secret/delete.ts";
import { type SecretName, secretsOf } from "../../../flows/secret/read.ts";
import type { VaultDeps } from "../../management/deps.ts";
import { bodyReader } from "../../management/serve/read-body.ts";
import type { Resolvers } from "../resolvers/resolvers.generated.ts";
import { accountFor, creatorFor, type GraphqlContext } from "../schema/context.ts";
import { labelList, labelsObject, presentFields } from "../schema/input.ts";

const readBody = bodyReader(secretCreate, undefined);

export const secretResolvers: Resolvers<GraphqlContext<VaultDeps>> = {
  Mutation: {
    secretCreate: async (_, { input }, context) => {
      const creator = creatorFor(context);
      const { labels, ...fields } = presentFields(input);
      const secret = readBody({ ...fields, ...(labels && { labels: labelsObject(labels) }) });
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

function graphqlSecret(secret: SecretName) {
  const { id, name, description, createdAt, changedAt, owner } = secret;
  const times = { createdAt, updatedAt: changedAt, lastUpdatedAt: changedAt };
  const fields = { id, name, description, labels: labelList(secret.labels) };
  return { ...fields, ...times, createdBy: owner ?? null };
}
