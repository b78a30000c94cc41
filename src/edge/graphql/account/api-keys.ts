// API keys, created, changed and revoked as over REST.

import { keyCreate, keyUpdate } from "../../../contract/rest-v1/account/key.ts";
import type { ApiKey } from "../../../domain/account.ts";
import { changeKeyOf, revokeKeyOf } from "../../../flows/account/change-key.ts";
import { createKey } from "../../../flows/account/create-key.ts";
import { keysOf } from "../../../flows/account/keys.ts";
import { keyRead } from "../../management/account/key-view.ts";
import type { VaultDeps } from "../../management/deps.ts";
import { bodyReader } from "../../management/serve/read-body.ts";
import type { Resolvers } from "../resolvers/resolvers.generated.ts";
import { accountFor, type GraphqlContext } from "../schema/context.ts";
import { labelList, labelsObject } from "../schema/input.ts";
import type { LabelInput } from "../schema/types.generated.ts";

const readCreateBody = bodyReader(keyCreate, undefined);
const readUpdateBody = bodyReader(keyUpdate, undefined);

export const apiKeyResolvers: Resolvers<GraphqlContext<VaultDeps>> = {
  Mutation: {
    async apiKeyCreate(_, { input }, context) {
      const { permissions = null, ...settings } = readCreateBody(bodyFrom(input));
      const by = callingKey(context, "write");
      const newKey = { by, ...settings, permissions, once: context.once };
      const { key, secret } = await createKey(context.deps, newKey);
      return { key: secret, apiKey: graphqlKey(key) };
    },
    async apiKeyUpdate(_, { input }, context) {
      const { id, ...body } = input;
      const changes = readUpdateBody(bodyFrom(body));
      return graphqlKey(await changeKeyOf(context.deps, callingKey(context, "write"), id, changes));
    },
    async apiKeyRevoke(_, { id }, context) {
      await revokeKeyOf(context.deps, callingKey(context, "write"), id);
      return null;
    },
  },
  User: {
    apiKeys: async (_, __, context) =>
      (await keysOf(context.deps, callingKey(context, "read"))).map(graphqlKey),
  },
};

/** The caller's key. It bounds the permissions of the keys that it creates and changes. */
function callingKey(context: GraphqlContext, access: "read" | "write"): ApiKey {
  accountFor(context, access, "own");
  return context.key!;
}

const graphqlKey = (key: Parameters<typeof keyRead>[0]) => ({
  ...keyRead(key),
  labels: labelList(key.labels),
});

function bodyFrom({ labels, ...input }: { labels?: readonly LabelInput[] | null }): object {
  return { ...withoutNulls(input), ...(labels && { labels: labelsObject(labels) }) };
}

/** The input without null fields, except `endpoints`, where null means all endpoints. */
function withoutNulls(input: object): object {
  const present = Object.entries(input).flatMap(([name, value]): [string, unknown][] => {
    if (value === null) return name === "endpoints" ? [[name, null]] : [];
    return [[name, name === "permissions" ? withoutNulls(value as object) : value]];
  });
  return Object.fromEntries(present);
}
