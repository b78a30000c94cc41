// Routes of /v2/account/ssh-keys.

import type { FastifyInstance } from "fastify";
import { sshKeyOperations } from "../../../contract/rest-v2/account/ssh-key.ts";
import type { ApiKey } from "../../../domain/account.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { sshKeyLinesFor } from "../../../flows/ssh-key/read.ts";
import { replaceSshKeys } from "../../../flows/ssh-key/replace.ts";
import { serveRestV2 } from "../serve/serve.ts";

export function sshKeyRoutes(app: FastifyInstance, deps: FlowDeps): void {
  const read = async (by: ApiKey) => ({ keys: await sshKeyLinesFor(deps, by) });
  serveRestV2(app, sshKeyOperations, {
    getSshKeys: ({ key: by }) => read(by),
    async updateSshKeys({ key: by, body: { keys, ...rest } }) {
      rest satisfies Record<string, never>;
      await replaceSshKeys(deps, by, { field: "keys", publicKeys: keys });
      return read(by);
    },
  });
}
