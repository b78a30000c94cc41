// Routes of /v2/account/ssh-keys.

import type { FastifyInstance } from "fastify";
import { sshKeyOperations } from "../../../contract/rest-v2/account/ssh-key.ts";
import { sshKeysOf } from "../../../flows/ssh-key/read.ts";
import { replaceSshKeys } from "../../../flows/ssh-key/replace.ts";
import type { RestDeps } from "../../management/deps.ts";
import { serve } from "../serve/serve.ts";

export function sshKeyRoutes(app: FastifyInstance, deps: RestDeps): void {
  const read = async (accountId: string) => {
    const keys = await sshKeysOf(deps, accountId);
    return { keys: keys.map(({ publicKey }) => publicKey) };
  };
  serve(app, sshKeyOperations, {
    getSshKeys: ({ accountId }) => read(accountId),
    async updateSshKeys({ accountId, key: by, body }) {
      await replaceSshKeys(deps, by, { field: "keys", publicKeys: body.keys });
      return read(accountId);
    },
  });
}
