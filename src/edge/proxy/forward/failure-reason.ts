// The reason of a failed request to a Pod, from the HTTP client's error.

import type { Unreached } from "../../../domain/container/unreachable-port.ts";

type Failure = Error & { code?: string; why?: Unreached };

/** A NotReached error carries its own reason. */
export function failureReason({ why, code = "" }: Failure): Unreached {
  if (why !== undefined) return why;
  return code.startsWith("HPE_") ? "no_http" : "broken";
}
