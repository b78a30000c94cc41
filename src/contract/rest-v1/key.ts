// API keys and what each may do.

import Type, { type Static } from "typebox";
import { instant, name } from "../fields.ts";
import type { Operations } from "../operation.ts";

const access = (description: string) => Type.Enum(["none", "read", "write"], { description });

const members = {
  rest: access("This management interface."),
  graphql: access("The GraphQL interface."),
  queue: access("The queues of endpoints."),
  endpoints: Type.Union([Type.Array(Type.String()), Type.Null()], {
    "x-takes": "a list of endpoint ids, or null for all endpoints",
    description: "Endpoints whose queue it opens; null for all.",
  }),
};

export const permissions = Type.Object(members, { title: "Permissions" });
const wanted = Type.Partial(Type.Object(members), { additionalProperties: false });

export const keyCreate = Type.Object(
  {
    name,
    permissions: Type.Optional(
      Type.Object(wanted.properties, {
        additionalProperties: false,
        description:
          "What it may do; an interface that is left out is closed to it. " +
          "Without permissions it may do what the key that makes it may.",
      }),
    ),
  },
  { title: "KeyCreate", additionalProperties: false },
);

export const keyUpdate = Type.Object(
  {
    name: Type.Optional(name),
    disabled: Type.Optional(Type.Boolean({ description: "A disabled key opens nothing." })),
    permissions: Type.Optional(
      Type.Object(wanted.properties, {
        additionalProperties: false,
        description: "What is left out stays as it is.",
      }),
    ),
  },
  { title: "KeyUpdate", additionalProperties: false },
);

export const key = Type.Object(
  {
    id: Type.String(),
    name,
    hint: Type.String({ description: "The key's last four characters." }),
    memberId: Type.Optional(
      Type.String({
        description: "Whose it is, where it is a member's: it may do no more than he.",
      }),
    ),
    permissions,
    createdAt: instant,
    disabled: Type.Boolean(),
    lastUsedAt: Type.Optional({ ...instant, description: "About a minute old at most." }),
  },
  { title: "Key" },
);
export type Key = Static<typeof key>;

export const newKey = Type.Object(
  { ...key.properties, key: Type.String({ description: "The key itself; shown only now." }) },
  { title: "NewKey" },
);

const one = "/v1/keys/{keyId}";
const read = { of: "rest", access: "read", area: "own" } as const;
const write = { of: "rest", access: "write", area: "own" } as const;

export const keyOperations = {
  createKey: {
    method: "POST",
    path: "/v1/keys",
    tag: "Keys",
    summary: "Make an API key",
    description:
      "It is shown once and kept only as its hash, so no Idempotency-Key is taken. " +
      "No key can make one that may do more.",
    needs: write,
    body: keyCreate,
    answer: { status: 200, description: "The key.", schema: newKey },
  },
  listKeys: {
    method: "GET",
    path: "/v1/keys",
    tag: "Keys",
    summary: "List API keys",
    needs: read,
    answer: { status: 200, description: "The keys.", schema: Type.Array(key) },
  },
  getKey: {
    method: "GET",
    path: one,
    tag: "Keys",
    summary: "Read an API key",
    needs: read,
    answer: { status: 200, description: "The key, without its secret.", schema: key },
  },
  updateKey: {
    method: "PATCH",
    path: one,
    tag: "Keys",
    summary: "Change or disable an API key",
    needs: write,
    body: keyUpdate,
    answer: { status: 200, description: "The key, without its secret.", schema: key },
  },
  revokeKey: {
    method: "DELETE",
    path: one,
    tag: "Keys",
    summary: "Revoke an API key",
    needs: write,
    answer: { status: 204, description: "It opens nothing any more." },
  },
} as const satisfies Operations;
