// The cookie by which a browser shows its session. Browsers share cookies between the ports of a host,
// so its name has the port in it.

import type { FastifyReply, FastifyRequest } from "fastify";
import { OUR_COOKIES } from "../proxy/own-credentials.ts";

/** What browsers let nobody set but the host itself, and only over TLS. */
const HOST_ONLY = "__Host-";

/** The secret of the session, if the request shows one. */
export function sessionIn(request: FastifyRequest): string | null {
  const { cookie } = request.headers;
  if (!cookie?.includes(OUR_COOKIES)) return null;
  const name = nameFor(request);
  const pairs = cookie.split(";").map((pair) => pair.trim());
  for (const begin of [`${HOST_ONLY}${name}=`, `${name}=`]) {
    const found = pairs.find((pair) => pair.startsWith(begin));
    if (found !== undefined) return found.slice(begin.length);
  }
  return null;
}

/** An empty secret takes the cookie away. */
export function setSession(reply: FastifyReply, secret: string, maxAgeMs: number): void {
  const { request } = reply;
  const secure = request.headers.origin?.startsWith("https://") === true;
  const name = nameFor(request);
  const parts = [
    `${secure ? HOST_ONLY : ""}${name}=${secret}`,
    "Path=/",
    "HttpOnly",
    "SameSite=Strict",
    `Max-Age=${Math.floor(maxAgeMs / 1_000)}`,
    ...(secure ? ["Secure"] : []),
  ];
  reply.header("set-cookie", parts.join("; "));
}

function nameFor({ headers }: FastifyRequest): string {
  const port = /:(\d+)$/.exec(headers.host ?? "")?.[1];
  return `${OUR_COOKIES}session${port ? `_${port}` : ""}`;
}
