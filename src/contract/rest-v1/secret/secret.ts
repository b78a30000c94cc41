// Secrets: values that environment variables refer to by name.

import Type, { type Static } from "typebox";
import { createdBy, instant, labeledList, labels, TAKES } from "../../fields.ts";
import { type Operations, read, write } from "../../operation.ts";

const name = Type.String({
  maxLength: 191,
  pattern: "^(?![Rr][Uu][Nn][Pp][Oo][Dd])[A-Za-z_][A-Za-z0-9_./-]*$",
  [TAKES]:
    'up to 191 letters, digits and "_./-" that begin with a letter or "_", and not with "runpod"',
  description: "Unique within the account; it cannot change.",
});

/** An environment variable cannot hold a longer value or a zero byte. */
const value = Type.String({
  minLength: 1,
  maxLength: 65_536,
  writeOnly: true,
  pattern: "^[^\\u0000]*$",
  [TAKES]: "a string of 1 to 65536 characters without a zero byte",
  description: "The value; never returned.",
});

const description = Type.String({
  maxLength: 1_000,
  default: "",
  description: "A note for people.",
});

export const secretCreate = Type.Object(
  { name, value, description: Type.Optional(description), labels: Type.Optional(labels) },
  { title: "SecretCreate", additionalProperties: false },
);

const secretUpdate = Type.Object(
  {
    value: Type.Optional(value),
    description: Type.Optional(description),
    labels: Type.Optional(labels),
  },
  { title: "SecretUpdate", additionalProperties: false },
);

const secret = Type.Object(
  {
    id: Type.String(),
    name,
    description,
    labels: Type.Optional(labels),
    createdAt: instant,
    createdBy: Type.Optional(createdBy),
    updatedAt: instant,
  },
  { title: "Secret" },
);
export type Secret = Static<typeof secret>;

const secretPath = "/v1/secrets/{secretId}";
const tag = "Secrets";
const answer = { status: 200, description: "The secret, without its value." } as const;

export const secretOperations = {
  createSecret: {
    method: "POST",
    path: "/v1/secrets",
    tag,
    summary: "Create a secret",
    description:
      "Write {{ RUNPOD_SECRET_name }} in an environment variable of a Pod or a template; it is " +
      "replaced by the value when the container starts. Names are unique within an account.",
    needs: write,
    body: secretCreate,
    once: true,
    answer: { ...answer, schema: secret },
  },
  listSecrets: {
    method: "GET",
    path: "/v1/secrets",
    tag,
    summary: "List secrets",
    needs: read,
    query: labeledList,
    answer: { status: 200, description: "The secrets.", schema: Type.Array(secret) },
  },
  getSecret: {
    method: "GET",
    path: secretPath,
    tag,
    summary: "Read a secret's metadata",
    needs: read,
    answer: { ...answer, schema: secret },
  },
  updateSecret: {
    method: "PATCH",
    path: secretPath,
    also: [{ method: "POST", path: `${secretPath}/update` }],
    tag,
    summary: "Change a secret's value, description or labels",
    description: "Pods and workers that refer to it get the new value at their next start.",
    needs: write,
    body: secretUpdate,
    answer: { ...answer, schema: secret },
  },
  deleteSecret: {
    method: "DELETE",
    path: secretPath,
    tag,
    summary: "Delete a secret",
    description: "Running Pods and workers that refer to it continue, but cannot be started again.",
    needs: write,
    answer: { status: 204, description: "The secret is deleted." },
  },
} as const satisfies Operations;
