// Routes of /v1/ssh-keys.

import type { FastifyInstance } from "fastify";
import { type SshKey, sshKeyOperations } from "../../../contract/rest-v1/secret/ssh-key.ts";
import type { SshKey as StoredSshKey } from "../../../domain/ssh-key/ssh-key.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { isOwnedBy, ownerNamed } from "../../../flows/member/owner.ts";
import { createSshKey, type NewSshKey } from "../../../flows/ssh-key/create.ts";
import { deleteSshKeyOf } from "../../../flows/ssh-key/delete.ts";
import { readSshKey, sshKeysOf } from "../../../flows/ssh-key/read.ts";
import { labelSshKeyOf } from "../../../flows/ssh-key/update.ts";
import { instant } from "../../management/serve/instant.ts";
import { labeledAs, labelsRead } from "../../management/serve/labels.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import type { Whole } from "../../management/serve/take-fields.ts";

export function sshKeyRoutes(app: FastifyInstance, deps: FlowDeps): void {
  serveOperations(app, sshKeyOperations, {
    async createSshKey({ key: by, body, once }) {
      body satisfies Whole<typeof body, NewSshKey>;
      return sshKeyRead(await createSshKey(deps, { by, ...body, once }));
    },
    async listSshKeys({ key, query }) {
      const ownerId = ownerNamed(query.createdBy, key);
      const keys = labeledAs(query, await sshKeysOf(deps, key));
      return keys.filter(({ member }) => isOwnedBy(ownerId, { owner: member })).map(sshKeyRead);
    },
    async getSshKey({ accountId, params }) {
      return sshKeyRead(await readSshKey(deps, accountId, params.sshKeyId));
    },
    async updateSshKey({ accountId, params, body: { labels, ...rest } }) {
      rest satisfies Record<string, never>;
      return sshKeyRead(await labelSshKeyOf(deps, accountId, params.sshKeyId, labels));
    },
    async deleteSshKey({ accountId, params }) {
      await deleteSshKeyOf(deps, accountId, params.sshKeyId);
    },
  });
}

function sshKeyRead(key: StoredSshKey): SshKey {
  const { id, name, publicKey, fingerprint, createdAt, member } = key;
  const owner = member && { id: member.id, name: member.name };
  return {
    id,
    name,
    publicKey,
    fingerprint,
    ...labelsRead(key),
    createdAt: instant(createdAt),
    ...(owner && { createdBy: owner }),
  };
}
