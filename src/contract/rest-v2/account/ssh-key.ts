// SSH keys, which Pods receive at their start, as one set.

import Type from "typebox";
import { TAKES } from "../../fields.ts";
import { type Operations, read, write } from "../../operation.ts";
import { closed } from "../fields.ts";

const tag = "SSH keys";

const sshKeys = Type.Object(
  { keys: Type.Array(Type.String({ description: "A public key as in authorized_keys." })) },
  { title: "SshKeys" },
);

const sshKeysPut = closed(
  {
    keys: Type.Array(
      Type.String({
        pattern: "^(ssh|ecdsa|sk)-[^\\s]+ [^\\s]+([ \\t][^\\n\\r]*)?$",
        [TAKES]: 'a public key such as "ssh-ed25519 AAAA... name"',
      }),
    ),
  },
  { title: "SshKeysPut" },
);

const answer = { status: 200, description: "The SSH keys.", schema: sshKeys } as const;

export const sshKeyOperations = {
  getSshKeys: {
    method: "GET",
    path: "/v2/account/ssh-keys",
    tag,
    summary: "Read the SSH keys",
    description:
      "The keys that open every Pod of the account; with a key of a member whose role is member, that member's keys.",
    needs: read,
    answer,
  },
  updateSshKeys: {
    method: "PUT",
    path: "/v2/account/ssh-keys",
    tag,
    summary: "Replace the SSH keys",
    description:
      "Replaces the list that GET returns. An empty list removes all. Pods receive the keys at their next start.",
    needs: write,
    body: sshKeysPut,
    answer,
  },
} as const satisfies Operations;
