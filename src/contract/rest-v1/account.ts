// The account a key belongs to, and the secret its webhooks are signed with.

import Type, { type Static } from "typebox";
import { instant, TAKES } from "../fields.ts";
import type { Operations } from "../operation.ts";
import { member } from "./member.ts";

export const accountUpdate = Type.Object(
  {
    webhookSecret: Type.Union(
      [
        Type.Literal("generate"),
        Type.String({ pattern: "^whsec_[A-Za-z0-9+/]{32,88}={0,2}$" }),
        Type.Null(),
      ],
      {
        [TAKES]:
          '"generate" for a new one, a secret of your own ("whsec_" and 24 to 64 bytes in base64), or null for none',
        description: "Webhooks are signed with it from then on; null stops the signing.",
      },
    ),
  },
  { title: "AccountUpdate", additionalProperties: false },
);

export const account = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    createdAt: instant,
    member: Type.Optional(
      Type.Object(member.properties, { description: "Whose key it is, where it is a member's." }),
    ),
    webhookSecretHint: Type.Optional(
      Type.String({ description: "The secret's last four characters, where there is one." }),
    ),
    webhookSecret: Type.Optional(Type.String({ description: "The secret; shown only when set." })),
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
    summary: "Set or drop the secret that webhooks are signed with",
    needs: { of: "rest", access: "write", area: "account" },
    body: accountUpdate,
    answer: { status: 200, description: "The account.", schema: account },
  },
} as const satisfies Operations;
