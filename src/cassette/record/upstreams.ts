// The services that a recording passes calls on to: one for all calls, or others for some paths.

import http from "node:http";
import https from "node:https";
import net from "node:net";
import tls from "node:tls";
import type { Clock } from "../../base/clock.ts";
import { exitCodes, Refusal, UsageError } from "../../base/refusal.ts";
import { bareHost } from "../../base/url-host.ts";

export interface Upstream {
  /** The calls below this path; "" for all. */
  prefix: string;
  /** The address, without a slash at its end. Its own path precedes that of a call. */
  url: URL;
}

const LONGEST_CONNECT_MS = 10_000;

/** Parses `--upstream URL` and `--upstream /graphql=URL`. Longer prefixes come first. */
export function readUpstreams(texts: string[]): Upstream[] {
  const upstreams = texts.map(readUpstream);
  const prefixes = upstreams.map(({ prefix }) => prefix);
  const twice = prefixes.find((prefix, at) => prefixes.indexOf(prefix) !== at);
  if (twice !== undefined)
    throw new UsageError(`--upstream names ${twice || "a URL for all paths"} twice`);
  return upstreams.sort((a, b) => b.prefix.length - a.prefix.length);
}

function readUpstream(text: string): Upstream {
  const [, prefix = "", address = ""] = /^(?:(\/[^=]*)=)?(.*)$/s.exec(text)!;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw new UsageError(
      `--upstream is "${text}"; it takes a URL such as https://cloud.example.org, or PATH=URL`,
    );
  return { prefix: prefix.replace(/\/+$/, ""), url };
}

export function upstreamOf(upstreams: Upstream[], path: string): Upstream | null {
  const [place = ""] = path.split("?");
  return upstreams.find(({ prefix }) => place === prefix || place.startsWith(`${prefix}/`)) ?? null;
}

/** Fails with a sentence if an upstream cannot be reached, before a client depends on it. */
export async function checkUpstreams(upstreams: Upstream[], clock: Clock): Promise<void> {
  for (const { url } of upstreams) {
    const error = await connectionError(url, clock);
    if (error) throw new Refusal(unreachable(url, error), exitCodes.unreachable);
  }
}

function connectionError(url: URL, clock: Clock): Promise<NodeJS.ErrnoException | null> {
  const host = bareHost(url.hostname);
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const servername = net.isIP(host) ? {} : { servername: host };
  return new Promise((resolve) => {
    const socket =
      url.protocol === "https:"
        ? tls.connect({ host, port, ...servername }, () => end(null))
        : net.connect({ host, port }, () => end(null));
    const end = (error: Error | null) => {
      cancel();
      socket.destroy();
      resolve(error);
    };
    const tooLate = new Error(`no connection in ${LONGEST_CONNECT_MS / 1_000} s`);
    const cancel = clock.after(LONGEST_CONNECT_MS, () => end(tooLate));
    socket.on("error", end);
  });
}

/** A request to an upstream; the caller sends the body. */
export function requestTo(
  { url }: Upstream,
  method: string,
  path: string,
  headers: string[],
): http.ClientRequest {
  const { request } = url.protocol === "https:" ? https : http;
  const target = new URL(url);
  // Not resolved as a relative URL, which would change a path such as //a.
  const full = url.pathname.replace(/\/+$/, "") + path;
  return request({
    protocol: target.protocol,
    hostname: bareHost(target.hostname),
    port: target.port || undefined,
    // A connection of its own: an upstream may close an idle one at any time.
    agent: false,
    method,
    path: full,
    headers: ["host", target.host, ...headers],
  });
}

/** What is wrong with a connection, and what to do. */
export function unreachable(url: URL, error: NodeJS.ErrnoException): string {
  const { code = "", message } = error;
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|PURPOSE/.test(code)) {
    const roots = "trust its authority with NODE_EXTRA_CA_CERTS=FILE";
    return `the certificate of ${url.host} is not accepted (${message}); ${roots}`;
  }
  if (code === "EPROTO" || code.startsWith("ERR_SSL"))
    return `${url.host} does not speak TLS; is it http://${url.host}?`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `there is no host ${url.hostname}; check the address, or the name server`;
  return `${url.host} does not answer: ${message || code}`;
}
