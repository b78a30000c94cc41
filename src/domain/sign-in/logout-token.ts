// A logout token, with which the sign-in provider ends sessions by itself (OpenID Connect Back-Channel Logout 1.0). Its
// signature is checked elsewhere. Pure.

import { isObject } from "../../base/json/is-object.ts";
import { CLOCK_TOLERANCE_S, futureS } from "./clock-skew.ts";
import type { Claims } from "./decide-role.ts";
import { LogoutRefusal } from "./logout-refusal.ts";

/** The sessions that the provider ended: one of them, or all of a person's. */
export interface Logout {
  /** The person's id at the provider; null if the token names only a session. */
  subject: string | null;
  /** The id of the session at the provider; null for all of the person's. */
  session: string | null;
  tokenId: string;
  /** From then on the token is too old. */
  expiresAt: number;
}

export interface SignedToken {
  /** The type in the token's header. */
  type: unknown;
  claims: Claims;
}

export interface LogoutRecipient {
  issuer: string;
  clientId: string;
  now: number;
}

const EVENT = "http://schemas.openid.net/event/backchannel-logout";
const TYPES = ["jwt", "logout+jwt", "application/logout+jwt"];
const MAX_TEXT = 300;

/** Throws a LogoutRefusal. */
export function readLogout(token: SignedToken, recipient: LogoutRecipient): Logout {
  const { claims } = token;
  const message = mismatchIn(token, recipient) ?? malformedClaim(claims);
  if (message !== null) throw new LogoutRefusal("invalid_request", message);
  return {
    subject: (claims.sub as string | undefined) ?? null,
    session: (claims.sid as string | undefined) ?? null,
    tokenId: claims.jti as string,
    expiresAt: ((claims.exp as number) + CLOCK_TOLERANCE_S) * 1_000,
  };
}

/** Why the token is not for this service now. */
function mismatchIn(
  { type, claims }: SignedToken,
  { issuer, clientId, now }: LogoutRecipient,
): string | null {
  const { iss, aud, iat, exp } = claims;
  if (type !== undefined && !TYPES.includes(`${type}`.toLowerCase()))
    return `its type is ${show(type)}, not logout+jwt`;
  if (iss !== issuer) return `its iss is ${show(iss)}, and the provider calls itself ${issuer}`;
  if (![aud].flat().includes(clientId))
    return `its aud is ${show(aud)}, and oidc.clientId is ${clientId}`;
  if (!isInstant(iat)) return "its iat is missing or not a number";
  const aheadS = futureS(iat, now);
  if (aheadS !== null)
    return `the clocks differ: its iat is ${aheadS} s in the future; set this machine's clock by NTP`;
  if (!isInstant(exp)) return "its exp is missing or not a number";
  const overS = Math.floor(now / 1_000) - exp;
  if (overS >= CLOCK_TOLERANCE_S) return `it expired ${overS} s ago`;
  return null;
}

function malformedClaim(claims: Claims): string | null {
  const { jti, sub, sid, events } = claims;
  if (!isText(jti)) return "its jti is missing or not a string";
  if (sub !== undefined && !isText(sub)) return "its sub is not a string";
  if (sid !== undefined && !isText(sid)) return "its sid is not a string";
  if (sub === undefined && sid === undefined) return "it has neither sub nor sid";
  if (!isObject(events) || !isObject(events[EVENT]))
    return `its events do not have the object "${EVENT}"; it is no logout token`;
  if (claims.nonce !== undefined) return "it has a nonce, which only an ID token has";
  return null;
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

const isInstant = (value: unknown): value is number => Number.isSafeInteger(value);

const show = (value: unknown) =>
  `${JSON.stringify(value) ?? "missing"}`.replace(/\p{Cc}+/gu, " ").slice(0, MAX_TEXT);
