// Secrets: values that environment variables refer to by name.

import Type from "typebox";
import { createdBy, instant, labeledList, TAKES } from "../../fields.ts";
import { type Operations, read, write } from "../../operation.ts";
import { secretCreate as secretCreateV1 } from "../../rest-v1/secret/secret.ts";
import { closed, noContent } from "../fields.ts";

const { name, value, description, labels } = secretCreateV1.properties;

const secretCreate = closed({ name, value, description, labels }, { title: "SecretCreate" });

const secretPatch = closed(
  { value: Type.Optional(value), description, labels },
  {
    title: "SecretPatch",
    minProperties: 1,
    [TAKES]: 'a JSON object with "value", "description", "labels" or several of them',
  },
);

const secret = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.Union([Type.String(), Type.Null()]),
    labels,
    createdAt: instant,
    createdBy: Type.Optional(createdBy),
    valueLastUpdatedAt: Type.Union([instant, Type.Null()]),
  },
  { title: "Secret" },
);

const secretPath = "/v2/account/secrets/{secretId}";
const tag = "Secrets";
const answer = {
  status: 200,
  description: "The secret, without its value.",
  schema: secret,
} as const;

export const secretOperations = {
  createSecret: {
    method: "POST",
    path: "/v2/account/secrets",
    tag,
    summary: "Create a secret",
    description:
      "Write {{ RUNPOD_SECRET_name }} in an environment variable; it is replaced by the value when " +
      "the container starts.",
    needs: write,
    body: secretCreate,
    faultStatuses: { name_taken: 409 },
    once: true,
    answer: { ...answer, status: 201 },
  },
  listSecrets: {
    method: "GET",
    path: "/v2/account/secrets",
    tag,
    summary: "List secrets",
    needs: read,
    query: Type.Object({
      ...labeledList.properties,
      name: Type.Optional(
        Type.String({ description: "Only the secret with this name, ignoring case." }),
      ),
    }),
    answer: {
      status: 200,
      description: "The secrets.",
      schema: Type.Object({ secrets: Type.Array(secret) }, { title: "SecretList" }),
    },
  },
  getSecret: {
    method: "GET",
    path: secretPath,
    tag,
    summary: "Read a secret's metadata",
    needs: read,
    answer,
  },
  updateSecret: {
    method: "PATCH",
    path: secretPath,
    tag,
    summary: "Change a secret's value or description",
    needs: write,
    body: secretPatch,
    answer,
  },
  deleteSecret: {
    method: "DELETE",
    path: secretPath,
    tag,
    summary: "Delete a secret",
    needs: write,
    answer: noContent("The secret is deleted."),
  },
} as const satisfies Operations;
