// S3 keys, which open network volumes over the S3 interface.

import Type, { type Static } from "typebox";
import { createdBy, instant, labeledList, labels, name, TAKES } from "../../fields.ts";
import { type Operations, read, write } from "../../operation.ts";

const access = Type.Enum(["read", "write"], {
  description: "read: list and read objects. write: also write and delete them.",
});

const volumeIds = Type.Union(
  [Type.Array(Type.String(), { minItems: 1, maxItems: 100 }), Type.Null()],
  {
    [TAKES]: "a list of network volume ids, or null for all volumes",
    description:
      "The volumes that the key opens; null for all of the account, later ones included.",
  },
);

const s3KeyCreate = Type.Object(
  {
    name,
    labels: Type.Optional(labels),
    access: Type.Optional(access),
    volumeIds: Type.Optional(volumeIds),
  },
  { title: "S3KeyCreate", additionalProperties: false },
);

const s3KeyUpdate = Type.Object(
  { labels: Type.Optional(labels) },
  { title: "S3KeyUpdate", additionalProperties: false },
);

const s3Key = Type.Object(
  {
    id: Type.String({ description: "The access key id." }),
    name,
    labels: Type.Optional(labels),
    access,
    volumeIds,
    memberId: Type.Optional(
      Type.String({
        description:
          "The member that owns the key. The key cannot do more than the member's role allows.",
      }),
    ),
    createdAt: instant,
    createdBy: Type.Optional(createdBy),
    lastUsedAt: Type.Optional({
      ...instant,
      description: "The last use; at most about a minute behind.",
    }),
  },
  { title: "S3Key" },
);
export type S3Key = Static<typeof s3Key>;

const newS3Key = Type.Object(
  {
    ...s3Key.properties,
    secret: Type.String({ description: "The secret access key; returned only once." }),
  },
  { title: "NewS3Key" },
);

const s3KeyPath = "/v1/s3-keys/{s3KeyId}";
const tag = "S3 keys";

export const s3KeyOperations = {
  createS3Key: {
    method: "POST",
    path: "/v1/s3-keys",
    tag,
    summary: "Create an S3 key",
    description:
      "The access key id and the secret sign requests to the S3 interface, where each network " +
      "volume is a bucket. The secret is returned only once. A repeated request with the same Idempotency-Key gets " +
      "it again for 24 hours.",
    needs: write,
    body: s3KeyCreate,
    once: true,
    answer: { status: 200, description: "The key, with its secret.", schema: newS3Key },
  },
  listS3Keys: {
    method: "GET",
    path: "/v1/s3-keys",
    tag,
    summary: "List S3 keys",
    description:
      "All S3 keys of the account; for a member without access to the account, their own.",
    needs: read,
    query: labeledList,
    answer: { status: 200, description: "The keys.", schema: Type.Array(s3Key) },
  },
  getS3Key: {
    method: "GET",
    path: s3KeyPath,
    tag,
    summary: "Read an S3 key",
    needs: read,
    answer: { status: 200, description: "The key, without its secret.", schema: s3Key },
  },
  updateS3Key: {
    method: "PATCH",
    path: s3KeyPath,
    tag,
    summary: "Change an S3 key's labels",
    needs: write,
    body: s3KeyUpdate,
    answer: { status: 200, description: "The key, without its secret.", schema: s3Key },
  },
  revokeS3Key: {
    method: "DELETE",
    path: s3KeyPath,
    tag,
    summary: "Revoke an S3 key",
    description: "Requests with the key are refused from now on.",
    needs: write,
    answer: { status: 204, description: "The key is revoked." },
  },
} as const satisfies Operations;
