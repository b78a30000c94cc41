// Which headers are passed on, and which end at a proxy: those of one hop (RFC 9110, 7.6.1), those that
// open our own interfaces, and those by which a Pod would speak for more than its own site. Raw headers
// are names and values in turn, as they came. Pure.

import { isOurCookie, OUR_COOKIES } from "./own-credentials.ts";
import type { Visit } from "./visit.ts";

const ONE_HOP = new Set([
  ...["connection", "keep-alive", "proxy-connection", "te", "upgrade", "http2-settings"],
  ...["proxy-authorization", "proxy-authenticate"],
]);

/** How the message is framed and who is asked: no Connection header takes these away. */
const KEPT_ANYHOW = new Set(["host", "content-length", "transfer-encoding", "trailer", "expect"]);

/** `upgrade` is what the connection is to become, if anything else than HTTP. */
export function requestHeaders(
  raw: readonly string[],
  { keys, from, prefix }: Visit,
  upgrade: string | null = null,
): string[] {
  const passed: string[] = [];
  const named = namedByConnection(raw);
  let host = "";
  let chain = "";
  let scheme = "http";
  for (let n = 0; n < raw.length; n += 2) {
    const name = raw[n]!;
    const value = raw[n + 1]!;
    const lower = name.toLowerCase();
    if (ONE_HOP.has(lower) || named?.has(lower)) continue;
    switch (lower) {
      case "host":
        if (host === "") passed.push(name, value);
        host ||= value;
        break;
      case "cookie":
        addUnlessEmpty(passed, name, withoutOurCookies(value));
        break;
      case "authorization":
        if (!keys.inAuthorization(value)) passed.push(name, value);
        break;
      case "referer":
        passed.push(name, keys.withoutIn(value));
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
        passed.push(name, value);
    }
  }
  passed.push("X-Forwarded-For", chain + from, "X-Forwarded-Proto", scheme);
  if (host !== "") passed.push("X-Forwarded-Host", host);
  if (prefix !== null) passed.push("X-Forwarded-Prefix", prefix);
  if (upgrade !== null) passed.push("Connection", "Upgrade", "Upgrade", upgrade);
  return passed;
}

/** What a site must not say, because it holds for more than itself: for all of a host or a domain. */
const NOT_THEIRS = new Set(["clear-site-data", "strict-transport-security", "alt-svc"]);

/**
 * Behind one host name all sites are one origin to a browser. This makes each an origin of its own,
 * that has no cookies and cannot read another's, nor send any along to the service itself.
 */
const SANDBOX =
  "sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads allow-presentation";

export function responseHeaders(
  raw: readonly string[],
  { host, prefix }: Pick<Visit, "host" | "prefix">,
): string[] {
  const passed: string[] = [];
  const named = namedByConnection(raw);
  for (let n = 0; n < raw.length; n += 2) {
    const name = raw[n]!;
    const value = raw[n + 1]!;
    const lower = name.toLowerCase();
    if (ONE_HOP.has(lower) || NOT_THEIRS.has(lower) || named?.has(lower)) continue;
    if (lower === "set-cookie") {
      if (mayBeSet(value, host)) passed.push(name, inside(value, prefix));
    } else if (lower === "location" && prefix !== null && /^\/(?!\/)/.test(value)) {
      passed.push(name, prefix + value);
    } else if (lower !== "transfer-encoding" || value.toLowerCase() !== "chunked") {
      // Node frames what has no length by itself, as its own client understands it.
      passed.push(name, value);
    }
  }
  if (prefix !== null) passed.push("Content-Security-Policy", SANDBOX);
  return passed;
}

/** As Node takes trailers. */
export const pairs = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, n) => [raw[2 * n]!, raw[2 * n + 1]!]);

/** Null where Connection names nothing but what ends here anyhow, as it mostly does. */
function namedByConnection(raw: readonly string[]): Set<string> | null {
  let named: Set<string> | null = null;
  for (let n = 0; n < raw.length; n += 2) {
    if (raw[n]!.length !== 10 || raw[n]!.toLowerCase() !== "connection") continue;
    for (const option of raw[n + 1]!.toLowerCase().split(",")) {
      const name = option.trim();
      if (name === "keep-alive" || name === "close" || name === "upgrade" || KEPT_ANYHOW.has(name))
        continue;
      named ??= new Set();
      named.add(name);
    }
  }
  return named;
}

function withoutOurCookies(value: string): string {
  if (!value.toLowerCase().includes(OUR_COOKIES)) return value;
  return value
    .split(";")
    .filter((pair) => !isOurCookie(pair))
    .join(";")
    .trim();
}

/** Neither one of ours, nor for more hosts than the site's own. */
function mayBeSet(value: string, host: string): boolean {
  const [pair = "", ...attributes] = value.split(";");
  if (isOurCookie(pair)) return false;
  return attributes.every((attribute) => {
    const domain = /^\s*domain\s*=\s*\.?(.*?)\s*$/i.exec(attribute)?.[1]?.toLowerCase();
    return domain === undefined || domain === "" || isAtOrBelow(domain, host);
  });
}

const isAtOrBelow = (domain: string, host: string) =>
  domain === host || domain.endsWith(`.${host}`);

/** A cookie of one site is not sent to another behind the same name. */
function inside(value: string, prefix: string | null): string {
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
