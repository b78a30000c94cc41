// Routes of /v1/secrets.

import type { FastifyInstance } from "fastify";
import { type Secret, secretOperations } from "../../../contract/rest-v1/secret/secret.ts";
import { creatorOf } from "../../../domain/account.ts";
import { ownedBy } from "../../../flows/member/owner.ts";
import { createSecret, type NewSecret } from "../../../flows/secret/create.ts";
import { deleteSecretOf } from "../../../flows/secret/delete.ts";
import { readSecret, type SecretName, secretsOf } from "../../../flows/secret/read.ts";
import { changeSecretOf, type SecretChanges } from "../../../flows/secret/update.ts";
import type { VaultDeps } from "../../management/deps.ts";
import { instant } from "../../management/serve/instant.ts";
import { labeledAs, labelsRead } from "../../management/serve/labels.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import type { Whole } from "../../management/serve/take-fields.ts";

export function secretRoutes(app: FastifyInstance, deps: VaultDeps): void {
  serveOperations(app, secretOperations, {
    async createSecret({ key, body, once }) {
      body satisfies Whole<typeof body, NewSecret>;
      return secretRead(await createSecret(deps, { ...body, ...creatorOf(key), once }));
    },
    async listSecrets({ accountId, key, query }) {
      const owned = ownedBy(await secretsOf(deps, accountId), query.createdBy, key);
      return labeledAs(query, owned).map(secretRead);
    },
    async getSecret({ accountId, params }) {
      return secretRead(await readSecret(deps, accountId, params.secretId));
    },
    async updateSecret({ accountId, params, body }) {
      body satisfies Whole<typeof body, SecretChanges>;
      return secretRead(await changeSecretOf(deps, accountId, params.secretId, body));
    },
    async deleteSecret({ accountId, params }) {
      await deleteSecretOf(deps, accountId, params.secretId);
    },
  });
}

function secretRead(secret: SecretName): Secret {
  const { id, name, description, owner, createdAt, changedAt } = secret;
  const times = { createdAt: instant(createdAt), updatedAt: instant(changedAt) };
  const fields = { id, name, description, ...labelsRead(secret) };
  return { ...fields, ...(owner && { createdBy: owner }), ...times };
}
