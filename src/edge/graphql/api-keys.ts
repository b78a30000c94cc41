// API keys, as the management interface has them.

import { keyCreate, keyUpdate } from "../../contract/rest-v1/key.ts";
import type { ApiKey, Permissions } from "../../domain/account.ts";
import { changeKeyOf, type KeyChanges, revokeKeyOf } from "../../flows/account/change-key.ts";
import { createKey } from "../../flows/account/create-key.ts";
import { keysOf } from "../../flows/account/keys.ts";
import { keyRead } from "../rest-v1/keys.ts";
import { bodyReader } from "../rest-v1/read-body.ts";
import { accountFor, type Context } from "./context.ts";
import type { Fields } from "./fields.ts";

type Create = { name: string; permissions?: Partial<Permissions> };

const readCreate = bodyReader(keyCreate, undefined);
const readUpdate = bodyReader(keyUpdate, undefined);

export const apiKeyFields: Fields = {
  Mutation: {
    async apiKeyCreate(_, { input }: { input: object }, context) {
      const { name, permissions = null } = readCreate(present(input)) as Create;
      const wanted = { by: keyOf(context, "write"), name, permissions };
      const { key, secret } = await createKey(context.deps, wanted);
      return { key: secret, apiKey: keyRead(key) };
    },
    async apiKeyUpdate(_, { input }: { input: { id: string } }, context) {
      const { id, ...rest } = input;
      const changes = readUpdate(present(rest)) as KeyChanges;
      return keyRead(await changeKeyOf(context.deps, keyOf(context, "write"), id, changes));
    },
    async apiKeyRevoke(_, { id }: { id: string }, context) {
      await revokeKeyOf(context.deps, keyOf(context, "write"), id);
      return null;
    },
  },
  User: {
    apiKeys: async (_, __, context) =>
      (await keysOf(context.deps, keyOf(context, "read"))).map(keyRead),
  },
};

/** The key that asks: what it makes and changes can do no more than it. */
function keyOf(context: Context, access: "read" | "write"): ApiKey {
  accountFor(context, access, "own");
  return context.key!;
}

/** Without what is null, but for the endpoints, of which null means all. */
function present(input: object): object {
  const set = Object.entries(input).flatMap(([name, value]): [string, unknown][] => {
    if (value === null) return name === "endpoints" ? [[name, null]] : [];
    return [[name, name === "permissions" ? present(value as object) : value]];
  });
  return Object.fromEntries(set);
}
