// The account of a key, and the secret that signs its webhooks.

import Type, { type Static } from "typebox";
import { instant, TAKES } from "../../fields.ts";
import type { Operations } from "../../operation.ts";
import { member } from "./member.ts";

const accountUpdate = Type.Object(
  {
    webhookSecret: Type.Union(
      [
        Type.Literal("generate"),
        Type.String({ pattern: "^whsec_[A-Za-z0-9+/]{32,88}={0,2}$" }),
        Type.Null(),
      ],
      {
        [TAKES]:
          '"generate" for a new secret, your own secret ("whsec_" and 24 to 64 bytes in padded base64), or null for none',
        description: "The secret that signs webhooks from now on; null stops signing.",
      },
    ),
  },
  { title: "AccountUpdate", additionalProperties: false },
);

const account = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    createdAt: instant,
    member: Type.Optional(
      Type.Object(member.properties, {
        description: "The member that owns the key, if it is a member's key.",
      }),
    ),
    webhookSecretHint: Type.Optional(
      Type.String({ description: "The last four characters of the secret, if it is set." }),
    ),
    webhookSecret: Type.Optional(
      Type.String({ description: "The secret; returned only when it is set." }),
    ),
  },
  { title: "Account" },
);
export type Account = Static<typeof account>;

export const accountOperations = {
  getAccount: {
    method: "GET",
    path: "/v1/account",
    tag: "Account",
    summary: "Read the account",
    needs: { of: "rest", access: "read", area: "own" },
    answer: { status: 200, description: "The account.", schema: account },
  },
  updateAccount: {
    method: "PATCH",
    path: "/v1/account",
    tag: "Account",
    summary: "Set or remove the webhook secret",
    needs: { of: "rest", access: "write", area: "account" },
    body: accountUpdate,
    answer: { status: 200, description: "The account.", schema: account },
  },
} as const satisfies Operations;
