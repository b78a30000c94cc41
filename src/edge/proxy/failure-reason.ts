// The reason of a failed request to a Pod, from the HTTP client's error.

import type { Unreached } from "../../domain/pod/container/unreachable-port.ts";

type Failure = Error & { code?: string; why?: Unreached };

const NO_HTTP = new Set(["UND_ERR_HEADERS_OVERFLOW", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"]);

/** A NotReached error carries its own reason. */
export function failureReason({ why, name, code = "" }: Failure): Unreached {
  if (why !== undefined) return why;
  const parsed = name !== "HTTPParserError" && !code.startsWith("HPE_") && !NO_HTTP.has(code);
  return parsed ? "broken" : "no_http";
}

const CUT = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** Whether the connection was closed before a response. */
export const isConnectionClosed = ({ code = "" }: Failure) => CUT.has(code);
