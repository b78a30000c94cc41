// What an error of the library for OpenID Connect says about a sign-in: the problem, with a sentence for the log. No
// sentence has a code or a token.

import { SignInProblem } from "../../domain/sign-in/problem.ts";

const MAX_TEXT = 300;

/** The codes of oauth4webapi, on which the library is built. */
const unavailable: readonly string[] = [
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_PARSE_ERROR",
];

interface LibraryError {
  code?: unknown;
  error?: unknown;
  error_description?: unknown;
  status?: unknown;
  message: string;
  cause?: unknown;
}

export function problemOf(thrown: unknown): SignInProblem {
  if (thrown instanceof SignInProblem) return thrown;
  const error = thrown as LibraryError;
  const code = typeof error.code === "string" ? error.code : "";
  if (code === "OAUTH_RESPONSE_BODY_ERROR") return refusalOf(error);
  if (code === "OAUTH_AUTHORIZATION_RESPONSE_ERROR") return deniedBy(error);
  if (code === "OAUTH_WWW_AUTHENTICATE_CHALLENGE") {
    const message =
      "the provider does not accept the client or its token; compare oidc.clientId, the client secret and oidc.clientAuthentication";
    return new SignInProblem("wrong_client", message);
  }
  if (code === "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED") return wrongIssuer(error);
  if (code === "OAUTH_JWT_CLAIM_COMPARISON_FAILED") return wrongClaim(error);
  if (code === "OAUTH_JWT_TIMESTAMP_CHECK_FAILED") return clockSkew(error);
  if (code === "OAUTH_KEY_SELECTION_FAILED") {
    const message =
      "the ID token names a key that the provider does not publish, also after the keys were read again";
    return new SignInProblem("unknown_key", message);
  }
  if (code === "OAUTH_INVALID_RESPONSE" && /"iss"/.test(chainText(error)))
    return wrongIssuer(error);
  if (unavailable.includes(code) || isNetworkError(error)) {
    return new SignInProblem(
      "provider_unavailable",
      `the provider does not answer: ${chainText(error)}`,
    );
  }
  return new SignInProblem(
    "invalid_answer",
    `the provider's answer is not valid: ${chainText(error)}`,
  );
}

/** Whether the provider refused the token of a request, and not the client. */
export const isRefusedCaller = (error: unknown): boolean =>
  (error as LibraryError).code === "OAUTH_WWW_AUTHENTICATE_CHALLENGE";

/** Null unless the provider refused the code of a sign-in. */
export function usedCodeProblem(error: LibraryError): SignInProblem | null {
  if (error.error !== "invalid_grant") return null;
  const message = `the provider refused the code, which was used before, has expired or belongs to another sign-in: ${shorten(error.error_description ?? "invalid_grant")}`;
  return new SignInProblem("code_used", message);
}

/** What the token endpoint answers. Only invalid_grant is about the person. */
function refusalOf({ error, error_description: description, status }: LibraryError): SignInProblem {
  const text = `${error}${description ? `: ${shorten(description)}` : ""}`;
  if (error === "invalid_grant") {
    const message = `the provider refused the refresh token: ${text}`;
    return new SignInProblem("denied", message);
  }
  const isOutage = Number(status) >= 500 || error === "temporarily_unavailable";
  if (isOutage) return new SignInProblem("provider_unavailable", `the provider failed: ${text}`);
  const message = `the provider refused this service: ${text}; compare oidc.clientId, the client secret and oidc.clientAuthentication`;
  return new SignInProblem("wrong_client", message);
}

/** What the provider sent the browser back with. */
function deniedBy({ error, error_description: description }: LibraryError): SignInProblem {
  const text = `${shorten(error)}${description ? `: ${shorten(description)}` : ""}`;
  if (error === "temporarily_unavailable" || error === "server_error") {
    return new SignInProblem("provider_unavailable", `the provider failed: ${text}`);
  }
  const isAnswer = ["access_denied", "login_required", "consent_required", "interaction_required"];
  const code = isAnswer.includes(`${error}`) ? "denied" : "wrong_client";
  return new SignInProblem(code, `the provider refused the sign-in: ${text}`);
}

function wrongIssuer(error: LibraryError): SignInProblem {
  const { expected } = factsOf(error);
  const named = expected ? `, not ${shorten(expected)}` : "";
  return new SignInProblem(
    "wrong_issuer",
    `the provider calls itself by another issuer than oidc.issuer${named}; copy "issuer" from its discovery document`,
  );
}

function wrongClaim(error: LibraryError): SignInProblem {
  const { claim, expected } = factsOf(error);
  switch (claim) {
    case "iss":
      return wrongIssuer(error);
    case "aud":
    case "azp":
      return new SignInProblem(
        "wrong_audience",
        `the ID token is for another client than ${shorten(expected)}, which oidc.clientId names`,
      );
    case "nonce":
      return new SignInProblem(
        "wrong_nonce",
        "the ID token has the nonce of another sign-in, or none",
      );
    default:
      return new SignInProblem(
        "invalid_answer",
        `the ID token has a wrong claim ${shorten(claim)}`,
      );
  }
}

function clockSkew(error: LibraryError): SignInProblem {
  const { claim, claims, now } = factsOf(error);
  const instant = (claims as Record<string, unknown> | undefined)?.[`${claim}`];
  const s = Math.abs(Number(now) - Number(instant));
  const message = `the clocks differ: the ID token's ${shorten(claim)} is ${s} s off; set this machine's clock by NTP`;
  return new SignInProblem("clock_skew", message);
}

/** What oauth4webapi says about the mismatch, in the innermost cause. */
function factsOf(error: LibraryError): Record<string, unknown> {
  let facts: unknown = error.cause;
  while (facts instanceof Error) facts = facts.cause;
  return typeof facts === "object" && facts !== null ? (facts as Record<string, unknown>) : {};
}

/** fetch throws a TypeError with the system's error as its cause. */
const isNetworkError = ({ message, cause }: LibraryError): boolean =>
  message === "fetch failed" || (cause instanceof Error && isNetworkError(cause));

function chainText(error: LibraryError): string {
  const texts = [error.message];
  for (let { cause } = error; cause instanceof Error; { cause } = cause) texts.push(cause.message);
  return shorten(texts.join(": "));
}

const shorten = (text: unknown) => `${text}`.replace(/\p{Cc}+/gu, " ").slice(0, MAX_TEXT);
