// Refusals of a Kubernetes API server, and connections to it that failed.

import { DriverUnavailable } from "../../driver.ts";

/** The API server refused a request. `message` is its own. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** Kubernetes' word for it, such as `AlreadyExists`; empty if it gave none. */
  readonly reason: string;
  constructor(status: number, reason: string, message: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

/** The error in a response that is not a success; the body is a `Status` object, or any text. */
export function apiErrorOf(status: number, body: string): ApiError {
  try {
    const { reason, message } = JSON.parse(body) as { reason?: string; message?: string };
    return new ApiError(status, reason ?? "", message || `HTTP status ${status}`);
  } catch {
    return new ApiError(status, "", body.trim().slice(0, 200) || `HTTP status ${status}`);
  }
}

/** A version that the API server no longer has: the list must be read again. */
export const isGone = (error: unknown) => error instanceof ApiError && error.status === 410;

export function apiServerUnavailable(server: string, error: unknown): DriverUnavailable {
  const { code, message } = error as NodeJS.ErrnoException;
  return new DriverUnavailable(
    `The Kubernetes API server at ${server} does not respond: ${certificateTrouble(code) ?? code ?? message}.`,
  );
}

function certificateTrouble(code = ""): string | null {
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return "its certificate is for another name";
  if (code === "CERT_HAS_EXPIRED") return "its certificate has expired";
  const untrusted = /^(SELF_SIGNED_CERT|DEPTH_ZERO_SELF|UNABLE_TO_(VERIFY|GET_ISSUER))/.test(code);
  return untrusted ? "its certificate is not signed by the kubeconfig's authority" : null;
}
