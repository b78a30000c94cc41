// Passwords of members, for installations without a sign-in provider.

import Type from "typebox";
import { instant } from "../../fields.ts";
import type { Operations } from "../../operation.ts";
import { newPassword } from "../account/member.ts";
import { currentSession } from "../account/session.ts";

const passwordSet = Type.Object(
  {
    password: newPassword,
    current: Type.Optional(
      Type.String({
        maxLength: 4096,
        writeOnly: true,
        description:
          "The password so far. Needed where there is one, unless the session began by a reset.",
      }),
    ),
  },
  { title: "PasswordSet", additionalProperties: false },
);

const memberPassword = Type.Object({ setAt: instant }, { title: "MemberPassword" });

const resetRequest = Type.Object(
  {
    removeTotp: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Whether the reset also removes the member's one-time codes.",
      }),
    ),
  },
  { title: "PasswordResetCreate", additionalProperties: false },
);

const newReset = Type.Object(
  {
    url: Type.String({
      description: "The page that sets a password. It works once, and is returned only once.",
    }),
    expiresAt: instant,
    mailed: Type.Boolean({
      description: "Whether it is also sent to the member's e-mail address.",
    }),
  },
  { title: "NewPasswordReset" },
);

const resetUse = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 191, writeOnly: true }),
    password: newPassword,
    code: Type.Optional(
      Type.String({
        maxLength: 40,
        writeOnly: true,
        description:
          "A one-time code or a recovery code; needed if the member has one-time codes and the reset keeps them.",
      }),
    ),
  },
  { title: "PasswordResetUse", additionalProperties: false },
);

const tag = "Passwords";
const own = { of: "rest", access: "write", area: "own" } as const;
const path = "/v1/members/me/password";

export const passwordOperations = {
  setPassword: {
    method: "PUT",
    path,
    tag,
    summary: "Set or change the caller's password",
    description: "The caller's other sessions end.",
    needs: own,
    body: passwordSet,
    answer: { status: 200, description: "The password is set.", schema: memberPassword },
  },
  removePassword: {
    method: "DELETE",
    path,
    tag,
    summary: "Remove the caller's password",
    description: "The sessions that began with it end, and one-time codes are removed with it.",
    needs: own,
    answer: { status: 204, description: "The password is removed." },
  },
  createPasswordReset: {
    method: "POST",
    path: "/v1/members/{memberId}/password-reset",
    tag,
    summary: "Make a link that sets a member's password",
    description:
      "The link works once, within an hour, and replaces an earlier one. It is also sent by e-mail if the installation has a mail server.",
    needs: { of: "rest", access: "write", area: "account" },
    body: resetRequest,
    answer: { status: 201, description: "The link.", schema: newReset },
  },
  usePasswordReset: {
    method: "POST",
    path: "/v1/password-reset",
    tag,
    summary: "Set a password with a reset link, and sign in",
    description: "Needs no key; the token identifies the link. All sessions of the member end.",
    needs: "nothing",
    body: resetUse,
    answer: {
      status: 200,
      description: "The account, the key and the session.",
      schema: currentSession,
    },
  },
} as const satisfies Operations;
