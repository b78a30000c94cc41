// The signature of a token that the provider sent by itself, checked with the provider's keys.

import type { JWKS } from "openid-client";
import { isObject } from "../../base/json/is-object.ts";
import { parseJson } from "../../base/json/parse.ts";
import { LogoutRefusal } from "../../domain/sign-in/logout-refusal.ts";
import type { SignedToken } from "../../domain/sign-in/logout-token.ts";
import type { ProviderKeys } from "./provider-keys.ts";

/** Algorithms with a public key. A signature with the client's secret would not be the provider's alone. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

const ENCRYPTED_PARTS = 5;

/** Throws a LogoutRefusal, or the SignInProblem that kept the keys from being read. */
export async function verifySignature(
  token: string,
  keys: ProviderKeys,
  keysAddress: string | undefined,
): Promise<SignedToken> {
  if (token.split(".").length === ENCRYPTED_PARTS) {
    throw refusal("the logout token is encrypted; turn the encryption off at the provider");
  }
  const current = keys.current;
  if (current === null) return verifyWith(token, await keys.read(keysAddress));
  try {
    return await verifyWith(token, current);
  } catch (error) {
    if (!(error instanceof UnknownKey)) throw error;
    return verifyWith(token, await keys.read(keysAddress));
  }
}

async function verifyWith(token: string, jwks: JWKS): Promise<SignedToken> {
  const jose = await import("jose");
  try {
    const keys = jose.createLocalJWKSet(jwks as Parameters<typeof jose.createLocalJWKSet>[0]);
    const options = { algorithms: ALGORITHMS };
    const { protectedHeader, payload } = await jose.compactVerify(token, keys, options);
    return { type: protectedHeader.typ, claims: claimsIn(payload) };
  } catch (error) {
    if (error instanceof jose.errors.JOSEError) throw refusalOf(error.code);
    throw error;
  }
}

function claimsIn(payload: Uint8Array): SignedToken["claims"] {
  let claims: unknown;
  try {
    claims = parseJson(Buffer.from(payload).toString("utf8"));
  } catch {
    claims = null;
  }
  if (isObject(claims)) return claims;
  throw refusal("the logout token's content is not a JSON object");
}

class UnknownKey extends LogoutRefusal {}

function refusalOf(code: string): LogoutRefusal {
  switch (code) {
    case "ERR_JWKS_NO_MATCHING_KEY":
      return new UnknownKey(
        "invalid_request",
        "the logout token names a key that the provider does not publish, also after the keys were read again",
      );
    case "ERR_JWKS_MULTIPLE_MATCHING_KEYS":
      return refusal("the logout token names no key, and the provider publishes several");
    case "ERR_JOSE_ALG_NOT_ALLOWED":
      return refusal(`the logout token's alg is none of ${ALGORITHMS.join(", ")}`);
    case "ERR_JWS_SIGNATURE_VERIFICATION_FAILED":
      return refusal("the logout token's signature is not by the provider's key");
    default:
      return refusal(`the logout token is no signed JWT (${code})`);
  }
}

const refusal = (message: string) => new LogoutRefusal("invalid_request", message);
