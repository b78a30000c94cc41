// Routes of /v2/account/secrets.

import type { FastifyInstance } from "fastify";
import { secretOperations } from "../../../contract/rest-v2/account/secret.ts";
import { creatorOf } from "../../../domain/account.ts";
import { ownedBy } from "../../../flows/member/owner.ts";
import { createSecret, type NewSecret } from "../../../flows/secret/create.ts";
import { deleteSecretOf } from "../../../flows/secret/delete.ts";
import { readSecret, type SecretName, secretsOf } from "../../../flows/secret/read.ts";
import { changeSecretOf, type SecretChanges } from "../../../flows/secret/update.ts";
import type { VaultDeps } from "../../management/deps.ts";
import { instant } from "../../management/serve/instant.ts";
import { labeledAs, labelsRead } from "../../management/serve/labels.ts";
import type { Whole } from "../../management/serve/take-fields.ts";
import { serveRestV2 } from "../serve/serve.ts";

export function secretRoutes(app: FastifyInstance, deps: VaultDeps): void {
  serveRestV2(app, secretOperations, {
    async createSecret({ key, body, once }) {
      body satisfies Whole<typeof body, NewSecret>;
      return secretRead(await createSecret(deps, { ...body, ...creatorOf(key), once }));
    },
    async listSecrets({ accountId, key, query }) {
      const name = query.name?.toLowerCase();
      const owned = ownedBy(await secretsOf(deps, accountId), query.createdBy, key);
      const named = labeledAs(query, owned).filter(
        (each) => name === undefined || each.name.toLowerCase() === name,
      );
      return { secrets: named.map(secretRead) };
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

function secretRead(secret: SecretName) {
  const { id, name, description, owner, createdAt, valueChangedAt } = secret;
  return {
    id,
    name,
    description: description || null,
    ...labelsRead(secret),
    createdAt: instant(createdAt),
    ...(owner && { createdBy: owner }),
    valueLastUpdatedAt: instant(valueChangedAt),
  };
}
