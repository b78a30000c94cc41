// A person as the provider's claims describe them. Pure.

import type { Claims } from "./decide-role.ts";

export interface Person {
  /** In lower case. Null if the provider names none that can be one. */
  email: string | null;
  /** Whether the provider says that the address is the person's. */
  isEmailVerified: boolean;
  name: string;
}

const EMAIL = /^[^@\s]{1,190}@[^@\s]{1,63}(?:\.[^@\s]{1,63})*$/;
const MAX_EMAIL = 254;
const MAX_NAME = 191;

export function personIn(claims: Claims): Person {
  const address = emailIn(claims.email);
  const email = address ?? emailIn(claims.preferred_username);
  const names = [claims.name, claims.preferred_username, email].map(textOf);
  return {
    email,
    isEmailVerified: address !== null && claims.email_verified === true,
    name: names.find((name) => name !== "") ?? "",
  };
}

function emailIn(claim: unknown): string | null {
  const email = textOf(claim).toLowerCase();
  return EMAIL.test(email) && email.length <= MAX_EMAIL ? email : null;
}

/** Control characters would break lines of a log. */
const textOf = (claim: unknown): string =>
  typeof claim === "string"
    ? claim
        .replace(/\p{Cc}+/gu, " ")
        .trim()
        .slice(0, MAX_NAME)
    : "";
