// API keys and their permissions.

import Type, { type Static } from "typebox";
import { instant, labelFilter, labels, name } from "../../fields.ts";
import type { Operations } from "../../operation.ts";

const access = (description: string) => Type.Enum(["none", "read", "write"], { description });

const permissionFields = {
  rest: access("Access to the management API."),
  graphql: access("Access to GraphQL."),
  queue: access("Access to the queues of endpoints."),
  endpoints: Type.Union([Type.Array(Type.String()), Type.Null()], {
    "x-takes": "a list of endpoint ids, or null for all endpoints",
    description: "Endpoints whose queues the key can access; null for all.",
  }),
};

export const permissions = Type.Object(permissionFields, { title: "Permissions" });
const permissionChanges = Type.Partial(Type.Object(permissionFields), {
  additionalProperties: false,
});

export const keyCreate = Type.Object(
  {
    name,
    labels: Type.Optional(labels),
    permissions: Type.Optional(
      Type.Object(permissionChanges.properties, {
        additionalProperties: false,
        description:
          "The key's permissions; an omitted interface is not accessible. " +
          "Without this field, the key has the permissions of the key that creates it.",
      }),
    ),
  },
  { title: "KeyCreate", additionalProperties: false },
);

export const keyUpdate = Type.Object(
  {
    name: Type.Optional(name),
    labels: Type.Optional(labels),
    disabled: Type.Optional(Type.Boolean({ description: "A disabled key is rejected." })),
    permissions: Type.Optional(
      Type.Object(permissionChanges.properties, {
        additionalProperties: false,
        description: "An omitted permission does not change.",
      }),
    ),
  },
  { title: "KeyUpdate", additionalProperties: false },
);

const key = Type.Object(
  {
    id: Type.String(),
    name,
    labels: Type.Optional(labels),
    hint: Type.String({ description: "The key's last four characters." }),
    memberId: Type.Optional(
      Type.String({
        description:
          "The member that owns the key. The key cannot do more than the member's role allows.",
      }),
    ),
    permissions,
    createdAt: instant,
    disabled: Type.Boolean(),
    lastUsedAt: Type.Optional({
      ...instant,
      description: "The last use; at most about a minute behind.",
    }),
  },
  { title: "Key" },
);
export type Key = Static<typeof key>;

export const newKey = Type.Object(
  { ...key.properties, key: Type.String({ description: "The key itself; returned only once." }) },
  { title: "NewKey" },
);

const keyPath = "/v1/keys/{keyId}";
const read = { of: "rest", access: "read", area: "own" } as const;
const write = { of: "rest", access: "write", area: "own" } as const;

export const keyOperations = {
  createKey: {
    method: "POST",
    path: "/v1/keys",
    tag: "Keys",
    summary: "Create an API key",
    description:
      "The key is returned only once and stored only as a hash. A repeated request with the same Idempotency-Key gets " +
      "it again for 24 hours. A key cannot create a key with more permissions than its own.",
    needs: write,
    body: keyCreate,
    once: true,
    answer: { status: 200, description: "The key.", schema: newKey },
  },
  listKeys: {
    method: "GET",
    path: "/v1/keys",
    tag: "Keys",
    summary: "List API keys",
    needs: read,
    query: Type.Object({ labels: Type.Optional(labelFilter) }),
    answer: { status: 200, description: "The keys.", schema: Type.Array(key) },
  },
  getKey: {
    method: "GET",
    path: keyPath,
    tag: "Keys",
    summary: "Read an API key",
    needs: read,
    answer: { status: 200, description: "The key, without its secret.", schema: key },
  },
  updateKey: {
    method: "PATCH",
    path: keyPath,
    tag: "Keys",
    summary: "Change or disable an API key",
    needs: write,
    body: keyUpdate,
    answer: { status: 200, description: "The key, without its secret.", schema: key },
  },
  revokeKey: {
    method: "DELETE",
    path: keyPath,
    tag: "Keys",
    summary: "Revoke an API key",
    needs: write,
    answer: { status: 204, description: "The key is revoked." },
  },
} as const satisfies Operations;
