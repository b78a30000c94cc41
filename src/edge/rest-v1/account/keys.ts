// Routes of /v1/keys.

import type { FastifyInstance } from "fastify";
import { keyOperations } from "../../../contract/rest-v1/account/key.ts";
import { changeKeyOf, revokeKeyOf } from "../../../flows/account/change-key.ts";
import { createKey, type NewKey } from "../../../flows/account/create-key.ts";
import { findManagedKey, keysOf } from "../../../flows/account/keys.ts";
import { keyRead } from "../../management/account/key-view.ts";
import type { VaultDeps } from "../../management/deps.ts";
import { labeledAs } from "../../management/serve/labels.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import type { Whole } from "../../management/serve/take-fields.ts";

export function keyRoutes(app: FastifyInstance, deps: VaultDeps): void {
  serveOperations(app, keyOperations, {
    async createKey({ key: by, body, once }) {
      body satisfies Whole<typeof body, NewKey>;
      const { key, secret } = await createKey(deps, { by, permissions: null, ...body, once });
      return { ...keyRead(key), key: secret };
    },
    async listKeys({ key, query }) {
      return labeledAs(query, await keysOf(deps, key)).map(keyRead);
    },
    async getKey({ key, params }) {
      return keyRead(await findManagedKey(deps, key, params.keyId));
    },
    async updateKey({ key, params, body }) {
      body satisfies Whole<typeof body, Parameters<typeof changeKeyOf>[3]>;
      return keyRead(await changeKeyOf(deps, key, params.keyId, body));
    },
    async revokeKey({ key, params }) {
      await revokeKeyOf(deps, key, params.keyId);
    },
  });
}
