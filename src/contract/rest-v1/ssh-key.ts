// SSH keys: public keys of the account, which its Pods are told of.

import Type, { type Static } from "typebox";
import { instant, name } from "../fields.ts";
import type { Operations } from "../operation.ts";

const publicKey = Type.String({
  minLength: 1,
  maxLength: 16_384,
  description: "One line as it stands in a .pub file: ssh-ed25519 AAAA... you@example.org",
});

export const sshKeyCreate = Type.Object(
  {
    publicKey,
    name: Type.Optional(
      Type.String({ ...name, description: "For people; without one, the key's comment." }),
    ),
  },
  { title: "SshKeyCreate", additionalProperties: false },
);

export const sshKey = Type.Object(
  {
    id: Type.String(),
    name,
    publicKey,
    fingerprint: Type.String({ description: "As ssh-keygen -l shows it." }),
    createdAt: instant,
  },
  { title: "SshKey" },
);
export type SshKey = Static<typeof sshKey>;

const one = "/v1/ssh-keys/{sshKeyId}";
const tag = "SSH keys";
const read = { of: "rest", access: "read" } as const;
const needs = { of: "rest", access: "write" } as const;
const answer = { status: 200, description: "The key.", schema: sshKey } as const;

export const sshKeyOperations = {
  createSshKey: {
    method: "POST",
    path: "/v1/ssh-keys",
    tag,
    summary: "Add a public key",
    description:
      "Every Pod finds the account's keys, a line each, in its variable PUBLIC_KEY when it is " +
      "started, unless it sets that itself.",
    needs,
    body: sshKeyCreate,
    answer,
  },
  listSshKeys: {
    method: "GET",
    path: "/v1/ssh-keys",
    tag,
    summary: "List SSH keys",
    needs: read,
    answer: { status: 200, description: "The keys.", schema: Type.Array(sshKey) },
  },
  getSshKey: {
    method: "GET",
    path: one,
    tag,
    summary: "Read an SSH key",
    needs: read,
    answer,
  },
  deleteSshKey: {
    method: "DELETE",
    path: one,
    tag,
    summary: "Delete an SSH key",
    description: "Pods that run have been told of it; they forget it with their next start.",
    needs,
    answer: { status: 204, description: "It is gone." },
  },
} as const satisfies Operations;
