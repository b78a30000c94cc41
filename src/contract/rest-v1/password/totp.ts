// One-time codes of an authenticator app (RFC 6238), a second step of the sign-in with a password.

import Type from "typebox";
import type { Operations } from "../../operation.ts";

const newTotp = Type.Object(
  {
    secret: Type.String({ description: "The secret in base32, to type into the app." }),
    uri: Type.String({ description: "The address of a QR code, otpauth://totp/..." }),
  },
  { title: "NewTotp" },
);

const code = Type.String({ maxLength: 40, writeOnly: true, description: "A code of the app." });

const confirmation = Type.Object(
  { code },
  { title: "TotpConfirmation", additionalProperties: false },
);

const recoveryCodes = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String(), {
      description: "Ten codes that work once each, in place of a code of the app.",
    }),
  },
  { title: "TotpRecoveryCodes" },
);

const removal = Type.Partial(
  Type.Object({
    code: Type.String({
      maxLength: 40,
      writeOnly: true,
      description: "A code of the app, or a recovery code.",
    }),
    password: Type.String({
      maxLength: 4096,
      writeOnly: true,
      description: "The member's password.",
    }),
  }),
  { title: "TotpRemoval", additionalProperties: false },
);

const tag = "Passwords";
const path = "/v1/members/me/totp";
const own = { of: "rest", access: "write", area: "own" } as const;

export const totpOperations = {
  beginTotp: {
    method: "POST",
    path,
    tag,
    summary: "Begin one-time codes",
    description:
      "Needs a password. The secret is pending until a code confirms it; a repeated request replaces it.",
    needs: own,
    answer: { status: 201, description: "The secret; returned only once.", schema: newTotp },
  },
  confirmTotp: {
    method: "PUT",
    path,
    tag,
    summary: "Confirm one-time codes",
    description: "From then on, a sign-in with the password needs a code.",
    needs: own,
    body: confirmation,
    answer: {
      status: 200,
      description: "The recovery codes; returned only once.",
      schema: recoveryCodes,
    },
  },
  removeTotp: {
    method: "DELETE",
    path,
    tag,
    summary: "Remove one-time codes",
    description: "Needs a code or the password, unless they were never confirmed.",
    needs: own,
    body: removal,
    answer: { status: 204, description: "A sign-in needs no code any more." },
  },
} as const satisfies Operations;
