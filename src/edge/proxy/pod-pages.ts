// Where the HTTP ports of Pods are for a client that called a given address of the service. Pure.

import { USUAL_DOMAIN } from "./proxy-target.ts";

export interface PodPages {
  /** Pods have names below this domain; null if such names do not lead the client here. */
  proxyDomain: string | null;
  /** The address before /<pod>/<port>/ where Pods have no names; null if the client reaches none. */
  proxyUrl: string | null;
}

/** The parts of the addresses that the service's configuration decides. */
export interface PodPagesPlace {
  /** The configured parent domain; null for only the default one. */
  domain: string | null;
  /** The origin of the listener that routes by path; null if it is off. */
  pathOrigin: string | null;
  /** Whether only this machine reaches that listener. */
  isPathLocal: boolean;
}

export function podPages(
  { domain, pathOrigin, isPathLocal }: PodPagesPlace,
  { hostname }: URL,
): PodPages {
  if (domain !== null) return { proxyDomain: domain, proxyUrl: null };
  if (isOwnName(hostname)) return { proxyDomain: USUAL_DOMAIN, proxyUrl: null };
  if (pathOrigin === null || isPathLocal) return { proxyDomain: null, proxyUrl: null };
  const { protocol, port } = new URL(pathOrigin);
  return { proxyDomain: null, proxyUrl: `${protocol}//${hostname}:${port}` };
}

/** Whether a name leads each computer to itself. */
export const isOwnName = (hostname: string) =>
  hostname === "localhost" ||
  hostname === "[::1]" ||
  hostname.endsWith(".localhost") ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname);
