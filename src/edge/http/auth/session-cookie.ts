// The session cookie. Browsers share cookies between the ports of a host, so its name contains the
// port.

import type { FastifyReply } from "fastify";
import { boundSecret } from "../../../domain/session.ts";
import { isLoopback, networkOf, plainAddress } from "../connection/network.ts";
import type { RouteRequest } from "../request/route.ts";
import { COOKIE_PREFIX } from "./own-credentials.ts";

/** The prefix of cookies that only the host itself can set, and only over TLS. */
const HOST_ONLY = "__Host-";

const SECRET = /^fhs_\w+$/;

/** The secret of the request's session in the form whose hash is stored, if it has one. */
export function sessionSecretOf(request: Pick<RouteRequest, "headers" | "raw">): string | null {
  const { cookie } = request.headers;
  if (!cookie?.includes(COOKIE_PREFIX)) return null;
  const name = nameFor(request);
  const pairs = cookie.split(";").map((pair) => pair.trim());
  for (const prefix of [`${HOST_ONLY}${name}=`, `${name}=`]) {
    const cookiePair = pairs.find((pair) => pair.startsWith(prefix));
    if (cookiePair === undefined) continue;
    const secret = cookiePair.slice(prefix.length);
    // A cookie that names the network itself would pass for a bound session.
    if (!SECRET.test(secret)) return null;
    const network = prefix.startsWith(HOST_ONLY) ? null : callerNetwork(request);
    return boundSecret(secret, network);
  }
  return null;
}

/** The network to which a session that begins with this request is bound; null over TLS. */
export const sessionNetworkOf = (
  request: Pick<RouteRequest, "headers" | "raw">,
  secure = isSecure(request),
) => (secure ? null : callerNetwork(request));

const isSecure = ({ headers }: Pick<RouteRequest, "headers">) =>
  headers.origin?.startsWith("https://") === true;

/** A browser may use either loopback address of one name. */
function callerNetwork({ raw }: Pick<RouteRequest, "raw">): string {
  const address = plainAddress(raw.socket.remoteAddress ?? "");
  return isLoopback(address) ? "loopback" : networkOf(address);
}

/** An empty secret deletes the cookie. A request that follows a link has no origin, so that its caller says what is secure. */
export function setSessionCookie(
  reply: FastifyReply,
  secret: string,
  maxAgeMs: number,
  secure = isSecure(reply.request),
): void {
  const cookie = {
    name: nameFor(reply.request),
    value: secret,
    maxAgeMs,
    sameSite: "Strict",
  } as const;
  setOwnCookie(reply, { ...cookie, secure });
}

interface OwnCookie {
  name: string;
  value: string;
  maxAgeMs: number;
  sameSite: "Strict" | "Lax";
  secure: boolean;
}

function setOwnCookie(reply: FastifyReply, { name, value, maxAgeMs, sameSite, secure }: OwnCookie) {
  const parts = [
    `${secure ? HOST_ONLY : ""}${name}=${value}`,
    "Path=/",
    "HttpOnly",
    `SameSite=${sameSite}`,
    `Max-Age=${Math.floor(maxAgeMs / 1_000)}`,
    ...(secure ? ["Secure"] : []),
  ];
  reply.header("set-cookie", parts.join("; "));
}

/** How long browsers keep the cookie of a sign-in with a provider. */
const ATTEMPT_MS = 600_000;

/** The cookie of a sign-in with a provider. Each sign-in has its own, so that one in another tab does not replace it. */
export interface AttemptCookie {
  name: string;
  sealed: string;
}

/** `id` is a word of letters and digits. */
export const attemptCookieName = (request: Pick<RouteRequest, "headers">, id: string) =>
  `${nameFor(request, "sign_in")}_${id}`;

/** The provider's page leads back here, which counts as another site's link. An empty text deletes the cookie. */
export function setAttemptCookie(
  reply: FastifyReply,
  { name, sealed }: AttemptCookie,
  secure: boolean,
): void {
  const maxAgeMs = sealed === "" ? 0 : ATTEMPT_MS;
  setOwnCookie(reply, { name, value: sealed, maxAgeMs, sameSite: "Lax", secure });
}

/** A page without TLS cannot set the cookies that are read over TLS. */
export function attemptCookiesOf(
  request: Pick<RouteRequest, "headers">,
  secure: boolean,
): AttemptCookie[] {
  const prefix = secure ? HOST_ONLY : "";
  const start = `${prefix}${attemptCookieName(request, "")}`;
  return (request.headers.cookie ?? "").split(";").flatMap((text) => {
    const pair = text.trim();
    const end = pair.indexOf("=");
    if (!pair.startsWith(start) || end < 0) return [];
    return [{ name: pair.slice(prefix.length, end), sealed: pair.slice(end + 1) }];
  });
}

function nameFor({ headers }: Pick<RouteRequest, "headers">, noun = "session"): string {
  const port = /:(\d+)$/.exec(headers.host ?? "")?.[1];
  return `${COOKIE_PREFIX}${noun}${port ? `_${port}` : ""}`;
}
