// A browser sends our cookie along with whatever any page asks of us. Only our own pages are answered.

import type { FastifyRequest } from "fastify";
import { Fault } from "../../domain/fault.ts";

/** Throws the fault where a browser asks for a page that is not ours. */
export function mustBeOwnPage({
  method,
  headers,
}: Pick<FastifyRequest, "method" | "headers">): void {
  const { origin, host, "sec-fetch-site": site, "x-forwarded-host": forwarded } = headers;
  const reads = method === "GET";
  // No page can give a header of its own choice to another origin without asking first.
  const ours = [host, forwarded].flat();
  const own = origin === undefined ? reads : ours.includes(URL.parse(origin)?.host ?? "");
  const said = site === undefined || site === "same-origin" || (reads && site === "none");
  if (own && said) return;
  throw new Fault("forbidden", { detail: "Only a page of this service may use its session." });
}
