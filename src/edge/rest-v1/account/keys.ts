// Routes of /v1/keys.

import type { FastifyInstance } from "fastify";
import { type Key, keyOperations } from "../../../contract/rest-v1/account/key.ts";
import type { ApiKey } from "../../../domain/account.ts";
import { changeKeyOf, revokeKeyOf } from "../../../flows/account/change-key.ts";
import { createKey } from "../../../flows/account/create-key.ts";
import { type KeyView, keyOf, keysOf } from "../../../flows/account/keys.ts";
import type { RestDeps } from "../../management/deps.ts";
import { instant, present } from "../../management/serve/instant.ts";
import { serve } from "../../management/serve/serve.ts";

export function keyRoutes(app: FastifyInstance, deps: RestDeps): void {
  serve(app, keyOperations, {
    async createKey({ key: by, body, once }) {
      const { key, secret } = await createKey(deps, { by, permissions: null, ...body, once });
      return { ...keyRead(key), key: secret };
    },
    async listKeys({ key }) {
      return (await keysOf(deps, key)).map(keyRead);
    },
    async getKey({ key, params }) {
      return keyRead(await keyOf(deps, key, params.keyId));
    },
    async updateKey({ key, params, body }) {
      return keyRead(await changeKeyOf(deps, key, params.keyId, body));
    },
    async revokeKey({ key, params }) {
      await revokeKeyOf(deps, key, params.keyId);
    },
  });
}

/** A new key has no lastUsedAt. */
export function keyRead(key: ApiKey & Partial<KeyView>): Key {
  const { id, name, hint, member, permissions, createdAt, disabledAt, lastUsedAt = null } = key;
  return {
    id,
    name,
    hint,
    ...(member && { memberId: member.id }),
    permissions,
    createdAt: instant(createdAt),
    disabled: disabledAt !== null,
    ...present({ lastUsedAt }),
  };
}
