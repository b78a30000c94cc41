// Routes of /v1/account.

import type { FastifyInstance } from "fastify";
import { type Account, accountOperations } from "../../../contract/rest-v1/account/account.ts";
import type { ApiKey } from "../../../domain/account.ts";
import { accountOf } from "../../../flows/account/read.ts";
import { dropWebhookSecret, replaceWebhookSecret } from "../../../flows/account/webhook-secret.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { memberOfKey } from "../../../flows/member/read.ts";
import { instant } from "../../management/serve/instant.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import { memberRead } from "./members.ts";

export function accountRoutes(app: FastifyInstance, deps: FlowDeps): void {
  const read = async (key: ApiKey): Promise<Account> => {
    const { id, name, createdAt, webhookSecret } = await accountOf(deps, key.accountId);
    const member = await memberOfKey(deps, key);
    return {
      id,
      name,
      createdAt: instant(createdAt),
      ...(member && { member: memberRead(member) }),
      ...(webhookSecret && { webhookSecretHint: webhookSecret.slice(-4) }),
    };
  };

  serveOperations(app, accountOperations, {
    getAccount: ({ key }) => read(key),
    async updateAccount({ key, accountId, body: { webhookSecret: next, ...rest } }) {
      rest satisfies Record<string, never>;
      if (next === null) {
        await dropWebhookSecret(deps, accountId);
        return read(key);
      }
      const ownSecret = next === "generate" ? null : next;
      const webhookSecret = await replaceWebhookSecret(deps, accountId, ownSecret);
      return { ...(await read(key)), webhookSecret };
    },
  });
}
