// The headers that the proxy passes on. It removes hop-by-hop headers (RFC 9110, 7.6.1), Freehold's own
// credentials, and response headers that apply beyond a Pod's own host. Raw headers are a flat list of
// names and values. Pure.

import { COOKIE_PREFIX, isOwnCookie } from "../http/auth/own-credentials.ts";
import { isNamed } from "../http/plain/header-fields.ts";
import type { ProxyRequest } from "./proxy-request.ts";

const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "upgrade",
  "http2-settings",
  "proxy-authorization",
  "proxy-authenticate",
]);

/** Host and framing headers, which a Connection header cannot remove. */
const NEVER_HOP_BY_HOP = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "trailer",
  "expect",
]);

/** `upgrade` is the protocol to upgrade to, if any. */
export function requestHeaders(
  raw: readonly string[],
  { keys, from, prefix, isTls }: ProxyRequest,
  upgrade: string | null = null,
): string[] {
  const headers: string[] = [];
  const named = namedByConnection(raw);
  let host = "";
  let chain = "";
  let scheme = isTls ? "https" : "http";
  for (let n = 0; n < raw.length; n += 2) {
    const name = raw[n]!;
    const value = raw[n + 1]!;
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || named?.has(lower)) continue;
    switch (lower) {
      case "host":
        if (host === "") headers.push(name, value);
        host ||= value;
        break;
      case "cookie":
        addUnlessEmpty(headers, name, withoutOurCookies(value));
        break;
      case "authorization":
        if (!keys.inAuthorization(value)) headers.push(name, value);
        break;
      case "referer":
        headers.push(name, keys.stripKeys(value));
        break;
      case "x-forwarded-for":
        chain += `${value}, `;
        break;
      case "x-forwarded-proto":
        if (/^https?$/i.test(value)) scheme = value.toLowerCase();
        break;
      case "x-forwarded-host":
      case "x-forwarded-prefix":
        break;
      default:
        headers.push(name, value);
    }
  }
  headers.push("X-Forwarded-For", chain + from, "X-Forwarded-Proto", scheme);
  if (host !== "") headers.push("X-Forwarded-Host", host);
  if (prefix !== null) headers.push("X-Forwarded-Prefix", prefix);
  if (upgrade !== null) headers.push("Connection", "Upgrade", "Upgrade", upgrade);
  return headers;
}

/** Headers of one connection, and response headers that apply to a whole host or domain. */
const NOT_RETURNED = new Set([
  ...HOP_BY_HOP,
  "clear-site-data",
  "strict-transport-security",
  "alt-svc",
]);

/**
 * On the path listener, all Pods share one browser origin. The sandbox makes each page an origin of its
 * own, without cookies and without access to other pages or to the service.
 */
const SANDBOX =
  "sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads allow-presentation";

export function responseHeaders(
  raw: readonly string[],
  { host, prefix, added }: Pick<ProxyRequest, "host" | "prefix" | "added">,
): string[] {
  const headers: string[] = [];
  const named = namedByConnection(raw);
  for (let n = 0; n < raw.length; n += 2) {
    const name = raw[n]!;
    const value = raw[n + 1]!;
    const lower = name.toLowerCase();
    if (NOT_RETURNED.has(lower) || named?.has(lower)) continue;
    if (added && isAdded(added, lower)) continue;
    if (lower === "set-cookie") {
      if (isAllowedCookie(value, host)) headers.push(name, scopeToPath(value, prefix));
    } else if (lower === "location" && prefix !== null && /^\/(?!\/)/.test(value)) {
      headers.push(name, prefix + value);
    } else if (lower !== "transfer-encoding" || value.toLowerCase() !== "chunked") {
      // Node adds chunked framing itself.
      headers.push(name, value);
    }
  }
  if (prefix !== null) headers.push("Content-Security-Policy", SANDBOX);
  if (added) headers.push(...added);
  return headers;
}

/** A workload's own header of a name that the proxy adds is dropped. */
function isAdded(added: readonly string[], lower: string): boolean {
  for (let n = 0; n < added.length; n += 2) {
    if (isNamed(added[n]!, lower)) return true;
  }
  return false;
}

/** Raw headers without those that belong to one connection. */
export function withoutHopByHop(raw: readonly string[]): string[] {
  const named = namedByConnection(raw);
  return raw.filter((_, n) => {
    const name = raw[n - (n % 2)]!.toLowerCase();
    return !HOP_BY_HOP.has(name) && !named?.has(name);
  });
}

/** Raw headers as pairs, which Node expects of trailers. */
export const headerPairs = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, n) => [raw[2 * n]!, raw[2 * n + 1]!]);

/** The headers that Connection names; null if there are none besides the usual ones. */
function namedByConnection(raw: readonly string[]): Set<string> | null {
  let named: Set<string> | null = null;
  for (let n = 0; n < raw.length; n += 2) {
    if (!isNamed(raw[n]!, "connection")) continue;
    for (const option of raw[n + 1]!.toLowerCase().split(",")) {
      const name = option.trim();
      if (
        name === "keep-alive" ||
        name === "close" ||
        name === "upgrade" ||
        NEVER_HOP_BY_HOP.has(name)
      )
        continue;
      named ??= new Set();
      named.add(name);
    }
  }
  return named;
}

function withoutOurCookies(value: string): string {
  if (!value.toLowerCase().includes(COOKIE_PREFIX)) return value;
  return value
    .split(";")
    .filter((pair) => !isOwnCookie(pair))
    .join(";")
    .trim();
}

/** A Pod may not set Freehold's cookies, nor cookies for other hosts. */
function isAllowedCookie(value: string, host: string): boolean {
  const [pair = "", ...attributes] = value.split(";");
  if (isOwnCookie(pair)) return false;
  return attributes.every((attribute) => {
    const domain = /^\s*domain\s*=\s*\.?(.*?)\s*$/i.exec(attribute)?.[1]?.toLowerCase();
    return domain === undefined || domain === "" || isAtOrBelow(domain, host);
  });
}

const isAtOrBelow = (domain: string, host: string) =>
  domain === host || domain.endsWith(`.${host}`);

/** Scopes a cookie to the Pod's path, so that it is not sent to other Pods. */
function scopeToPath(value: string, prefix: string | null): string {
  if (prefix === null) return value;
  const [pair, ...attributes] = value.split(";");
  const others = attributes.filter((attribute) => !/^\s*path\s*=/i.test(attribute));
  const path = attributes
    .map((attribute) => /^\s*path\s*=\s*(\/.*?)\s*$/i.exec(attribute)?.[1])
    .findLast((each) => each !== undefined);
  return [pair, ...others, ` Path=${prefix}${path ?? "/"}`].join(";");
}

function addUnlessEmpty(headers: string[], name: string, value: string): void {
  if (value !== "") headers.push(name, value);
}
