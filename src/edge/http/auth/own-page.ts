// The check of a session's origin. A browser sends the cookie with requests of any page; only pages of this service may use it.

import { Fault } from "../../../domain/fault.ts";
import type { RouteRequest } from "../request/route.ts";

/** Throws a fault for a browser request from a page of another origin. */
export function requireOwnPage({
  method,
  headers,
}: Pick<RouteRequest, "method" | "headers">): void {
  const { origin, host, "sec-fetch-site": fetchSite, "x-forwarded-host": forwarded } = headers;
  const isRead = method === "GET";
  // A page cannot set a custom header on a request to another origin without a preflight.
  const ownHosts = [host, forwarded].flat();
  const isOwnOrigin =
    origin === undefined ? isRead : ownHosts.includes(URL.parse(origin)?.host ?? "");
  const isOwnSite =
    fetchSite === undefined || fetchSite === "same-origin" || (isRead && fetchSite === "none");
  if (isOwnOrigin && isOwnSite) return;
  throw new Fault("forbidden", { detail: "Only a page of this service may use its session." });
}
