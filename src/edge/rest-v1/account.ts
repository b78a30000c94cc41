// /v1/account.

import type { FastifyInstance } from "fastify";
import { type Account, accountOperations } from "../../contract/rest-v1/account.ts";
import { accountOf } from "../../flows/account/read.ts";
import { dropWebhookSecret, replaceWebhookSecret } from "../../flows/account/webhook-secret.ts";
import type { RestDeps } from "./deps.ts";
import { instant } from "./instant.ts";
import { serve } from "./serve.ts";

export function accountRoutes(app: FastifyInstance, deps: RestDeps): void {
  const read = async (accountId: string): Promise<Account> => {
    const { id, name, createdAt, webhookSecret } = await accountOf(deps, accountId);
    const hint = webhookSecret ? { webhookSecretHint: webhookSecret.slice(-4) } : {};
    return { id, name, createdAt: instant(createdAt), ...hint };
  };

  serve(app, accountOperations, {
    getAccount: ({ accountId }) => read(accountId),
    async updateAccount({ accountId, body }) {
      const { webhookSecret: wanted } = body;
      if (wanted === null) {
        await dropWebhookSecret(deps, accountId);
        return read(accountId);
      }
      const chosen = wanted === "generate" ? null : wanted;
      const webhookSecret = await replaceWebhookSecret(deps, accountId, chosen);
      return { ...(await read(accountId)), webhookSecret };
    },
  });
}
