// Container registry auths. Clients read their names; the credentials are never shown.

import { registryAuthCreate } from "../../../contract/rest-v1/secret/registry-auth.ts";
import { ownedBy } from "../../../flows/member/owner.ts";
import { createRegistryAuth } from "../../../flows/registry-auth/create.ts";
import { deleteRegistryAuthOf } from "../../../flows/registry-auth/delete.ts";
import {
  type AuthName,
  readRegistryAuth,
  registryAuthsOf,
} from "../../../flows/registry-auth/read.ts";
import { changeRegistryAuthOf } from "../../../flows/registry-auth/update.ts";
import type { VaultDeps } from "../../management/deps.ts";
import { bodyReader } from "../../management/serve/read-body.ts";
import type { Resolvers } from "../resolvers/resolvers.generated.ts";
import { accountFor, creatorFor, type GraphqlContext } from "../schema/context.ts";
import { labelList, labelsObject, presentFields, requireInput } from "../schema/input.ts";
import type { SaveRegistryAuthInput, UpdateRegistryAuthInput } from "../schema/types.generated.ts";

const readBody = bodyReader(registryAuthCreate, undefined);

export const registryAuthResolvers: Resolvers<GraphqlContext<VaultDeps>> = {
  Mutation: {
    saveRegistryAuth: (_, { input }, context) => create(context, requireInput(input)),
    updateRegistryAuth: (_, { input }, context) => update(context, requireInput(input)),
    deleteRegistryAuth: async (_, { registryAuthId }, context) => {
      await deleteRegistryAuthOf(context.deps, accountFor(context, "write"), registryAuthId);
      return null;
    },
  },
  User: {
    containerRegistryCreds: async (_, { createdBy }, context) => {
      const auths = await registryAuthsOf(context.deps, accountFor(context, "read"));
      return ownedBy(auths, createdBy, context.key).map((auth) =>
        graphqlRegistryAuth(context, auth),
      );
    },
  },
};

async function create(context: GraphqlContext<VaultDeps>, input: SaveRegistryAuthInput) {
  const { deps, once } = context;
  const creator = creatorFor(context);
  const { labels, ...fields } = presentFields(input);
  const body = readBody({ ...fields, ...(labels && { labels: labelsObject(labels) }) });
  const auth = { ...body, ...creator, once };
  return graphqlRegistryAuth(context, await createRegistryAuth(deps, auth));
}

async function update(
  context: GraphqlContext<VaultDeps>,
  { id, labels, ...credentials }: UpdateRegistryAuthInput,
) {
  const accountId = accountFor(context, "write");
  const { name } = await readRegistryAuth(context.deps, accountId, id);
  const body = readBody({
    name,
    ...credentials,
    ...(labels && { labels: labelsObject(labels) }),
  });
  const { username, password } = body;
  const changes = {
    credentials: { username, password },
    ...(body.labels && { labels: body.labels }),
  };
  const auth = await changeRegistryAuthOf(context.deps, accountId, id, changes);
  return graphqlRegistryAuth(context, auth);
}

function graphqlRegistryAuth(context: GraphqlContext, { id, name, labels, owner }: AuthName) {
  const userId = context.key?.accountId ?? null;
  const shown = { id, name, userId, labels: labelList(labels) };
  return { ...shown, registryAuth: null, createdBy: owner ?? null };
}
