// SSH keys: public keys of the account, which its Pods receive at start.

import Type, { type Static } from "typebox";
import { createdBy, instant, labeledList, labels, name } from "../../fields.ts";
import { type Operations, read, write } from "../../operation.ts";

const publicKey = Type.String({
  minLength: 1,
  maxLength: 16_384,
  description: "One line of a .pub file: ssh-ed25519 AAAA... you@example.org",
});

const sshKeyCreate = Type.Object(
  {
    publicKey,
    name: Type.Optional(
      Type.String({ ...name, description: "Display name. Default: the key's comment." }),
    ),
    labels: Type.Optional(labels),
  },
  { title: "SshKeyCreate", additionalProperties: false },
);

const sshKeyUpdate = Type.Object(
  { labels: Type.Optional(labels) },
  { title: "SshKeyUpdate", additionalProperties: false },
);

const sshKey = Type.Object(
  {
    id: Type.String(),
    name,
    publicKey,
    fingerprint: Type.String({ description: "The fingerprint, as ssh-keygen -l prints it." }),
    labels: Type.Optional(labels),
    createdAt: instant,
    createdBy: Type.Optional(createdBy),
  },
  { title: "SshKey" },
);
export type SshKey = Static<typeof sshKey>;

const sshKeyPath = "/v1/ssh-keys/{sshKeyId}";
const tag = "SSH keys";
const answer = { status: 200, description: "The key.", schema: sshKey } as const;

export const sshKeyOperations = {
  createSshKey: {
    method: "POST",
    path: "/v1/ssh-keys",
    tag,
    summary: "Add an SSH key",
    description:
      "A Pod gets the account's keys, one per line, in its environment variable PUBLIC_KEY at " +
      "start, unless it sets PUBLIC_KEY itself. Members and the account itself have their keys independently: " +
      "one public key can belong to several.",
    needs: write,
    body: sshKeyCreate,
    once: true,
    answer,
  },
  listSshKeys: {
    method: "GET",
    path: "/v1/ssh-keys",
    tag,
    summary: "List SSH keys",
    needs: read,
    query: labeledList,
    answer: { status: 200, description: "The keys.", schema: Type.Array(sshKey) },
  },
  getSshKey: {
    method: "GET",
    path: sshKeyPath,
    tag,
    summary: "Read an SSH key",
    needs: read,
    answer,
  },
  updateSshKey: {
    method: "PATCH",
    path: sshKeyPath,
    tag,
    summary: "Change an SSH key's labels",
    needs: write,
    body: sshKeyUpdate,
    answer,
  },
  deleteSshKey: {
    method: "DELETE",
    path: sshKeyPath,
    tag,
    summary: "Delete an SSH key",
    description: "Running Pods keep the key until their next start.",
    needs: write,
    answer: { status: 204, description: "The SSH key is deleted." },
  },
} as const satisfies Operations;
