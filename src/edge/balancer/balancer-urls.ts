// The addresses at which clients reach a load-balancing endpoint.

import { isIP } from "node:net";
import { bareHost } from "../../base/url-host.ts";
import { isOwnName } from "../proxy/pod-pages.ts";
import { USUAL_BALANCER_DOMAIN } from "./address.ts";

/** The parts of the addresses that the service's configuration decides. */
export interface BalancerPlace {
  /** The configured parent domain; null for only the default one. */
  domain: string | null;
  /** The origin of the listener that routes by path; null if it is off. */
  pathOrigin: string | null;
  /** Whether only this machine reaches that listener. */
  isPathLocal: boolean;
}

/**
 * The address that a client can reach: with a configured domain its name there, otherwise by path for a
 * client that called an IP address, because its resolver may not resolve names below localhost, and for one on
 * another computer, which those names lead to itself.
 */
export function balancerUrl(
  { domain, pathOrigin, isPathLocal }: BalancerPlace,
  endpointId: string,
  calledOrigin: string,
): string {
  const { protocol, hostname, port } = new URL(calledOrigin);
  const atPort = port === "" ? "" : `:${port}`;
  if (domain !== null) return `${protocol}//${endpointId}.${domain}${atPort}`;
  const isAddress = isIP(bareHost(hostname)) !== 0;
  const isOutside = !isOwnName(hostname) && !isPathLocal;
  if ((isAddress || isOutside) && pathOrigin !== null) {
    const paths = new URL(pathOrigin);
    return `${paths.protocol}//${hostname}:${paths.port}/lb/${endpointId}`;
  }
  return `${protocol}//${endpointId}.${USUAL_BALANCER_DOMAIN}${atPort}`;
}
