// What failed on the way to a Pod, read out of what the clients say.

import type { Unreached } from "../../domain/pod/unreached.ts";

type Failure = Error & { code?: string; why?: Unreached };

const NO_HTTP = new Set(["UND_ERR_HEADERS_OVERFLOW", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"]);

/** NotReached says it itself. */
export function whyOf({ why, name, code = "" }: Failure): Unreached {
  if (why !== undefined) return why;
  const parsed = name !== "HTTPParserError" && !code.startsWith("HPE_") && !NO_HTTP.has(code);
  return parsed ? "broken" : "no_http";
}

const CUT = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** The connection was closed before there was an answer. */
export const isCut = ({ code = "" }: Failure) => CUT.has(code);
