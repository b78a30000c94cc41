// What a request that is passed on asks for, and where it came from.

import type { IncomingMessage } from "node:http";
import type { Site } from "./address.ts";
import type { OwnKeys } from "./own-credentials.ts";

export interface Visit extends Site {
  /** The path and query that the Pod is asked for. */
  path: string;
  /** The name that it was asked by. */
  host: string;
  /** "/<pod>/<port>" where that told the site; null where the name did. */
  prefix: string | null;
  /** The address of the one who asks. */
  from: string;
  keys: OwnKeys;
}

export function addressOf({ socket }: IncomingMessage): string {
  return (socket.remoteAddress ?? "unknown").replace(/^::ffff:/, "");
}
