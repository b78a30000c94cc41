// The two addresses of a sign-in with the organization's provider: the one that leads to the provider, and the one to
// which the provider leads back. Both answer with redirects, because browsers follow links to them.

import { isIPv4 } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "../../base/log.ts";
import { SignInProblem } from "../../domain/sign-in/problem.ts";
import { beginSignIn, openAttempt, type SignInAttempt } from "../../flows/sign-in/begin.ts";
import { type FinishDeps, finishSignIn, isAnswerTo } from "../../flows/sign-in/finish.ts";
import { isStoreUnavailable } from "../../flows/store-unavailable.ts";
import {
  type AttemptCookie,
  attemptCookieName,
  attemptCookiesOf,
  sessionNetworkOf,
  setAttemptCookie,
  setSessionCookie,
} from "../http/auth/session-cookie.ts";
import { isLoopback } from "../http/connection/network.ts";

export interface SignInRouteDeps extends Omit<FinishDeps, "provider"> {
  /** Null if the operator configured none. */
  provider: FinishDeps["provider"] | null;
  log: Logger;
  /** The only origin that the provider leads back to; null if the service is on loopback without one. */
  publicUrl: string | null;
}

export const SIGN_IN_PATH = "/oidc/start";
const CALLBACK_PATH = "/oidc/callback";
const PAGE = "/sign-in";

/** How many sign-ins of a browser may be under way. Each has a cookie, and servers accept so many bytes of them. */
const MAX_ATTEMPTS = 4;
/** Browsers drop a cookie of more than 4 KB without a word, and the page to open afterwards is in it. */
const LONGEST_NEXT = 2_000;

const open = { config: { needs: "nothing" as const } };

export function signInRoutes(deps: SignInRouteDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get(SIGN_IN_PATH, open, (request, reply) =>
      answer(deps, reply, () => begin(deps, request, reply)),
    );
    app.get(CALLBACK_PATH, open, (request, reply) =>
      answer(deps, reply, () => finish(deps, request, reply)),
    );
  };
}

/** `work` returns the address that the browser opens next. */
async function answer(
  { log, publicUrl }: SignInRouteDeps,
  reply: FastifyReply,
  work: () => Promise<string>,
): Promise<FastifyReply> {
  reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer");
  try {
    return reply.redirect(await work(), 303);
  } catch (error) {
    const problem = asProblem(error);
    if (!problem) throw error;
    const { code, message } = problem;
    log.warn({ problem: code, address: reply.request.ip }, `sign-in refused: ${message}`);
    return reply.redirect(`${publicUrl ?? ""}${PAGE}?problem=${code}`, 303);
  }
}

function asProblem(error: unknown): SignInProblem | null {
  if (error instanceof SignInProblem) return error;
  if (!isStoreUnavailable(error)) return null;
  return new SignInProblem("service_unavailable", "the store is unavailable");
}

async function begin(
  deps: SignInRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const provider = requireProvider(deps);
  const origin = originOf(deps, request);
  const next = localPath((request.query as Record<string, unknown>).next);
  // A page of another site, or of a Pod, does not sign a browser in: the person presses the button.
  const fetchSite = request.headers["sec-fetch-site"];
  if (fetchSite !== undefined && fetchSite !== "same-origin" && fetchSite !== "none") {
    return `${origin}${PAGE}?next=${encodeURIComponent(next)}`;
  }
  const secure = origin.startsWith("https:");
  const network = sessionNetworkOf(request, secure);
  const redirectUri = `${origin}${CALLBACK_PATH}`;
  const { url, sealed } = await beginSignIn({ ...deps, provider }, { redirectUri, next, network });
  const latest = openAttempts(deps, request, secure).slice(0, MAX_ATTEMPTS - 1);
  for (const { name } of attemptCookiesOf(request, secure)) {
    const isLatest = latest.some(({ cookie }) => cookie.name === name);
    if (!isLatest) setAttemptCookie(reply, { name, sealed: "" }, secure);
  }
  const name = attemptCookieName(request, deps.ids.short(8));
  setAttemptCookie(reply, { name, sealed }, secure);
  return url;
}

async function finish(
  deps: SignInRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const provider = requireProvider(deps);
  const origin = originOf(deps, request);
  const secure = origin.startsWith("https:");
  const network = sessionNetworkOf(request, secure);
  const search = /\?.*$/.exec(request.url)?.[0] ?? "";
  const url = new URL(`${CALLBACK_PATH}${search}`, origin);
  const attempts = openAttempts(deps, request, secure);
  const callback = {
    url,
    attempts: attempts.map(({ attempt }) => attempt),
    network,
    agent: request.headers["user-agent"] ?? "",
    address: request.ip,
  };
  // Those of other tabs stay.
  for (const { cookie, attempt } of attempts) {
    if (isAnswerTo(attempt, url)) setAttemptCookie(reply, { ...cookie, sealed: "" }, secure);
  }
  const { session, secret, next } = await finishSignIn({ ...deps, provider }, callback);
  setSessionCookie(reply, secret, session.expiresAt - session.createdAt, secure);
  return `${origin}${next}`;
}

/** The browser's sign-ins that were begun here, the latest first. */
function openAttempts(
  { vault }: SignInRouteDeps,
  request: FastifyRequest,
  secure: boolean,
): { cookie: AttemptCookie; attempt: SignInAttempt }[] {
  return attemptCookiesOf(request, secure)
    .flatMap((cookie) => {
      const attempt = openAttempt(vault, cookie.sealed);
      return attempt ? [{ cookie, attempt }] : [];
    })
    .sort((one, other) => other.attempt.expiresAt - one.attempt.expiresAt);
}

function requireProvider({ provider }: SignInRouteDeps): FinishDeps["provider"] {
  if (provider) return provider;
  throw new SignInProblem("off", "no provider is configured; set oidc");
}

/** Never from a Host header, unless it names this computer, which no page of another one can do. */
function originOf(
  { publicUrl }: SignInRouteDeps,
  { protocol, host, hostname }: FastifyRequest,
): string {
  if (publicUrl !== null) return publicUrl;
  const isOwn =
    hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && isLoopback(hostname));
  if (isOwn) return `${protocol}://${host}`;
  throw new SignInProblem(
    "no_public_url",
    "FREEHOLD_PUBLIC_URL is not set; the provider leads back to it",
  );
}

/** The path of a page of this service, whatever the link says. */
function localPath(next: unknown): string {
  const here = "http://here.invalid";
  const url = typeof next === "string" ? URL.parse(next, here) : null;
  if (url?.origin !== here || url.pathname.startsWith("//")) return "/";
  const path = `${url.pathname}${url.search}${url.hash}`;
  return path.length > LONGEST_NEXT ? "/" : path;
}
