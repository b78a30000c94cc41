// The account's SSH keys, as one text with a key on each line.

import { sshKeysOf } from "../../flows/ssh-key/read.ts";
import { replaceSshKeys } from "../../flows/ssh-key/replace.ts";
import { userRead } from "./account.ts";
import { accountFor, type Context } from "./context.ts";
import type { Fields } from "./fields.ts";
import { needed } from "./pods.ts";

export const sshKeyFields: Fields = {
  Mutation: {
    updateUserSettings: (_, { input }: { input?: { pubKey?: string | null } | null }, context) =>
      save(context, needed(input).pubKey),
  },
  User: {
    pubKey: async (_, __, context) => {
      const keys = await sshKeysOf(context.deps, accountFor(context, "read"));
      return keys.map(({ publicKey }) => publicKey).join("\n");
    },
  },
};

/** An empty text takes all of them away; null leaves them. */
async function save(context: Context, pubKey: string | null | undefined) {
  if (typeof pubKey === "string") {
    const lines = pubKey.split("\n").map((line) => line.trim());
    const keys = lines.filter((line) => line !== "");
    await replaceSshKeys(context.deps, accountFor(context, "write"), keys);
  }
  return userRead(context);
}
