// A request to a Pod through the proxy: its target and its origin.

import type { OwnKeys } from "../http/auth/own-credentials.ts";
import type { InboundRequest } from "../http/plain/exchange.ts";
import { hostName, type ProxyTarget } from "./proxy-target.ts";

export interface ProxyRequest extends ProxyTarget {
  /** The path and query of the request to the Pod. */
  path: string;
  /** The host name of the request. */
  host: string;
  /** "/<pod>/<port>" on the path listener; null if the host name selects the Pod. */
  prefix: string | null;
  /** The client's IP address. */
  from: string;
  /** Whether the client speaks TLS with this listener. */
  isTls: boolean;
  keys: OwnKeys;
  /** Headers that every response gets: a flat list of names and values. */
  added?: readonly string[];
  /** Called with the status of the response when its head arrives. */
  onHead?(status: number): void;
}

/** Before an IPv4 address on a socket for both families. */
const MAPPED = "::ffff:";

/** The path of a URL. An absolute URL must have the request's host. */
export function ownPath(url: string, host: string): string | null {
  if (url.startsWith("/") || url === "*") return url;
  const match = /^https?:\/\/([^/?#]+)(.*)$/i.exec(url);
  if (!match || hostName(match[1]!) !== host) return null;
  return match[2]!.startsWith("/") ? match[2]! : `/${match[2]}`;
}

export const isOverTls = ({ socket }: InboundRequest): boolean => "encrypted" in socket;

export function addressOf({ socket }: InboundRequest): string {
  const address = socket.remoteAddress ?? "unknown";
  return address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address;
}
