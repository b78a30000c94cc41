// Secrets: values that environment variables refer to by name.

import Type, { type Static } from "typebox";
import { instant, TAKES } from "../fields.ts";
import type { Operations } from "../operation.ts";

const name = Type.String({
  maxLength: 191,
  pattern: "^(?![Rr][Uu][Nn][Pp][Oo][Dd])[A-Za-z_][A-Za-z0-9_./-]*$",
  [TAKES]:
    'up to 191 letters, digits and "_./-" that begin with a letter or "_", and not with "runpod"',
  description: "Unique within the account, and for good.",
});

/** An environment variable can hold no more, and no zero byte. */
const value = Type.String({
  minLength: 1,
  maxLength: 65_536,
  writeOnly: true,
  pattern: "^[^\\u0000]*$",
  [TAKES]: "a string of 1 to 65536 characters without a zero byte",
  description: "Never shown again.",
});

const description = Type.String({ maxLength: 1_000, default: "", description: "For people." });

export const secretCreate = Type.Object(
  { name, value, description: Type.Optional(description) },
  { title: "SecretCreate", additionalProperties: false },
);

export const secretUpdate = Type.Object(
  { value: Type.Optional(value), description: Type.Optional(description) },
  { title: "SecretUpdate", additionalProperties: false },
);

export const secret = Type.Object(
  { id: Type.String(), name, description, createdAt: instant, updatedAt: instant },
  { title: "Secret" },
);
export type Secret = Static<typeof secret>;

const one = "/v1/secrets/{secretId}";
const tag = "Secrets";
const read = { of: "rest", access: "read" } as const;
const needs = { of: "rest", access: "write" } as const;
const answer = { status: 200, description: "The secret, without its value." } as const;

export const secretOperations = {
  createSecret: {
    method: "POST",
    path: "/v1/secrets",
    tag,
    summary: "Keep a secret",
    description:
      "Write {{ RUNPOD_SECRET_name }} into a variable of a Pod or a template, and the value takes " +
      "its place when the container is started. Names are unique, so no Idempotency-Key is taken.",
    needs,
    body: secretCreate,
    answer: { ...answer, schema: secret },
  },
  listSecrets: {
    method: "GET",
    path: "/v1/secrets",
    tag,
    summary: "List secrets",
    needs: read,
    answer: { status: 200, description: "The secrets.", schema: Type.Array(secret) },
  },
  getSecret: {
    method: "GET",
    path: one,
    tag,
    summary: "Read what is known of a secret",
    needs: read,
    answer: { ...answer, schema: secret },
  },
  updateSecret: {
    method: "PATCH",
    path: one,
    also: [{ method: "POST", path: `${one}/update` }],
    tag,
    summary: "Give a secret another value",
    description: "Whatever refers to it has the new value from its next start on.",
    needs,
    body: secretUpdate,
    answer: { ...answer, schema: secret },
  },
  deleteSecret: {
    method: "DELETE",
    path: one,
    tag,
    summary: "Delete a secret",
    description: "What refers to it runs on, and cannot be started again.",
    needs,
    answer: { status: 204, description: "It is gone." },
  },
} as const satisfies Operations;
