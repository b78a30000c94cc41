// Routes of /v1/s3-keys.

import type { FastifyInstance } from "fastify";
import { type S3Key, s3KeyOperations } from "../../../contract/rest-v1/storage/s3-key.ts";
import type { S3Key as StoredS3Key } from "../../../domain/s3/s3-key.ts";
import { isOwnedBy, ownerNamed } from "../../../flows/member/owner.ts";
import { createS3KeyFor, type NewS3Key } from "../../../flows/s3-key/create.ts";
import { labelS3KeyOf, revokeS3KeyOf, s3KeyOf, s3KeysOf } from "../../../flows/s3-key/manage.ts";
import type { VaultDeps } from "../../management/deps.ts";
import { instant, present } from "../../management/serve/instant.ts";
import { labeledAs, labelsRead } from "../../management/serve/labels.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import type { Whole } from "../../management/serve/take-fields.ts";

export function s3KeyRoutes(app: FastifyInstance, deps: VaultDeps): void {
  serveOperations(app, s3KeyOperations, {
    async createS3Key({ key: by, body, once }) {
      body satisfies Whole<typeof body, NewS3Key>;
      const { key, secret } = await createS3KeyFor(deps, { by, ...body, once });
      return { ...s3KeyRead(key), secret };
    },
    async listS3Keys({ key: by, query }) {
      const ownerId = ownerNamed(query.createdBy, by);
      const keys = labeledAs(query, await s3KeysOf(deps, by));
      return keys.filter(({ member }) => isOwnedBy(ownerId, { owner: member })).map(s3KeyRead);
    },
    async getS3Key({ key: by, params }) {
      return s3KeyRead(await s3KeyOf(deps, by, params.s3KeyId));
    },
    async updateS3Key({ key: by, params, body: { labels, ...rest } }) {
      rest satisfies Record<string, never>;
      return s3KeyRead(await labelS3KeyOf(deps, by, params.s3KeyId, labels));
    },
    async revokeS3Key({ key: by, params }) {
      await revokeS3KeyOf(deps, by, params.s3KeyId);
    },
  });
}

function s3KeyRead({ id, name, access, volumeIds, member, ...key }: StoredS3Key): S3Key {
  const { createdAt, lastUsedAt } = key;
  const labels = labelsRead(key);
  return {
    id,
    name,
    ...labels,
    access,
    volumeIds,
    ...(member && { memberId: member.id }),
    createdAt: instant(createdAt),
    ...(member && { createdBy: { id: member.id, name: member.name } }),
    ...present({ lastUsedAt }),
  };
}
