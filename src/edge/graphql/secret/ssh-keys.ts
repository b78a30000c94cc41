// The account's SSH keys, as one text with one key per line.

import type { StandingDeps } from "../../../flows/billing/standing.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { sshKeyLinesFor } from "../../../flows/ssh-key/read.ts";
import { replaceSshKeys } from "../../../flows/ssh-key/replace.ts";
import type { Resolvers } from "../resolvers/resolvers.generated.ts";
import { accountFor, type GraphqlContext } from "../schema/context.ts";
import { requireInput } from "../schema/input.ts";
import { readUser } from "../view/user-view.ts";

interface Deps extends FlowDeps, StandingDeps {}

export const sshKeyResolvers: Resolvers<GraphqlContext<Deps>> = {
  Mutation: {
    updateUserSettings: (_, { input }, context) => save(context, requireInput(input).pubKey),
  },
  User: {
    pubKey: async (_, __, context) => {
      const accountId = accountFor(context, "read");
      const by = { accountId, member: context.key?.member ?? null };
      return (await sshKeyLinesFor(context.deps, by)).join("\n");
    },
  },
};

/** An empty text removes every key; null changes nothing. */
async function save(context: GraphqlContext<Deps>, pubKey: string | null | undefined) {
  if (typeof pubKey === "string") {
    const lines = pubKey.split("\n").map((line) => line.trim());
    const publicKeys = lines.filter((line) => line !== "");
    const accountId = accountFor(context, "write");
    const by = { accountId, member: context.key?.member ?? null };
    await replaceSshKeys(context.deps, by, { field: "pubKey", publicKeys });
  }
  return readUser(context);
}
