// A request to a Pod through the proxy: its target and its origin.

import type { IncomingMessage } from "node:http";
import type { OwnKeys } from "./own-credentials.ts";
import type { ProxyTarget } from "./proxy-target.ts";

export interface ProxyRequest extends ProxyTarget {
  /** The path and query of the request to the Pod. */
  path: string;
  /** The host name of the request. */
  host: string;
  /** "/<pod>/<port>" on the path listener; null if the host name selects the Pod. */
  prefix: string | null;
  /** The client's IP address. */
  from: string;
  keys: OwnKeys;
}

export function addressOf({ socket }: IncomingMessage): string {
  return (socket.remoteAddress ?? "unknown").replace(/^::ffff:/, "");
}
