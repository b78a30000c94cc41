// The proxy for Pods' HTTP ports. It takes requests by Host header, or by path on a listener of its
// own. It needs no key: a port is open to every client that has its address.

import type { Duplex } from "node:stream";
import type { Logger } from "../../base/log.ts";
import type { Unreached } from "../../domain/container/unreachable-port.ts";
import { Fault } from "../../domain/fault.ts";
import { notReached, type PodConnection, type Reach } from "../../flows/pod/reach.ts";
import { OwnKeys } from "../http/auth/own-credentials.ts";
import type { PlainInterceptor, Upgrade, Upgrader } from "../http/listener.ts";
import type { InboundRequest, ResponseWriter } from "../http/plain/exchange.ts";
import { poolFor } from "./connection/connection-pool.ts";
import { forward } from "./forward/forward.ts";
import { HostCache } from "./host-cache.ts";
import { addressOf, isOverTls, ownPath, type ProxyRequest } from "./proxy-request.ts";
import {
  hostName,
  isWithin,
  type ProxyTarget,
  targetOfName,
  targetOfPath,
  USUAL_DOMAIN,
} from "./proxy-target.ts";
import { refuse } from "./refusal.ts";
import { forwardUpgrade, responseOn } from "./upgrade.ts";

export interface ProxyOptions {
  reach: Reach;
  /** The parent domain of Pods' pages; null for only the default domain. */
  domain: string | null;
  /** A configured key, which need not have the form of a generated one. */
  chosenKey: string | null;
  log: Logger;
}

export class PodProxy implements PlainInterceptor, Upgrader {
  readonly #reach: Reach;
  readonly #hosts: HostCache<HostTarget>;
  readonly #keys: OwnKeys;
  readonly #log: ProxyOptions["log"];
  readonly #upgraded = new Set<Duplex>();
  /** The origin of the path listener, whose pages may not call the service. */
  pathOrigin: string | null = null;

  constructor({ reach, domain, chosenKey, log }: ProxyOptions) {
    this.#reach = reach;
    const domains = domain === null ? [USUAL_DOMAIN] : [domain, USUAL_DOMAIN];
    this.#hosts = new HostCache((name) => hostTarget(name, domains));
    this.#keys = new OwnKeys(chosenKey);
    this.#log = log;
  }

  /** Whether a request is for a Pod. */
  takes({ headers: { host } }: InboundRequest): boolean {
    return this.#hosts.has(host);
  }

  /** An upgrade to HTTP/2 is declined: it would bypass the checks of the proxy. */
  takesUpgrade(request: InboundRequest): boolean {
    return this.takes(request) && isSafe(request);
  }

  /** Whether an Origin header names a Pod's page. */
  isPage(origin: string): boolean {
    if (this.#isPathPage(origin)) return true;
    return this.#hosts.hasOrigin(origin);
  }

  /** The path listener may have several addresses, and any name may lead to one. */
  #isPathPage(origin: string): boolean {
    if (this.pathOrigin === null) return false;
    return URL.parse(origin)?.port === new URL(this.pathOrigin).port;
  }

  /** Handles a request that it takes. */
  handle(request: InboundRequest, response: ResponseWriter): void {
    const target = this.#visitByName(request);
    if (target instanceof Fault) refuse(request, response, target);
    else this.#pass(request, response, target);
  }

  upgrade(upgrade: Upgrade): void {
    const target = this.#visitByName(upgrade.request);
    if (target instanceof Fault) refuseUpgrade(upgrade, target);
    else this.#passUpgrade(upgrade, target);
  }

  /** Handles a request of the path listener. `path` is that of its URL, with the query. */
  handlePath(path: string, request: InboundRequest, response: ResponseWriter): void {
    const target = this.#visitByPath(path, request);
    if (target instanceof Fault) refuse(request, response, target);
    else if (target === "slash") addSlash(request, response);
    else this.#pass(request, response, target);
  }

  upgradePath(path: string, upgrade: Upgrade): void {
    const target = this.#visitByPath(path, upgrade.request);
    if (target instanceof Fault) refuseUpgrade(upgrade, target);
    else if (target === "slash") refuseUpgrade(upgrade, noPath(upgrade.request.url!));
    else this.#passUpgrade(upgrade, target);
  }

  /** Closes all connections. */
  close(): void {
    this.#reach.close();
    for (const socket of this.#upgraded) socket.destroy();
  }

  #visitByName(request: InboundRequest): ProxyRequest | Fault {
    const { host, target } = this.#hosts.of(request.headers.host!)!;
    if (target === null) return noTarget(host);
    const path = ownPath(request.url!, host);
    return path === null
      ? otherHost(host)
      : this.#target(request, { ...target, host, path, prefix: null });
  }

  #visitByPath(path: string, request: InboundRequest): ProxyRequest | Fault | "slash" {
    const target = targetOfPath(path);
    if (target === null) return noPath(request.url!);
    const { podId, port, prefix, rest } = target;
    if (rest === null) return "slash";
    const host = hostName(request.headers.host ?? "");
    return this.#target(request, { podId, port, prefix, host, path: rest });
  }

  #target(
    request: InboundRequest,
    where: Omit<ProxyRequest, "from" | "isTls" | "keys">,
  ): ProxyRequest {
    const keys = this.#keys;
    return {
      ...where,
      path: keys.stripKeys(where.path),
      from: addressOf(request),
      isTls: isOverTls(request),
      keys,
    };
  }

  #pass(request: InboundRequest, response: ResponseWriter, target: ProxyRequest): void {
    const { podId, port } = target;
    const stop = (fault: Fault) => refuse(request, response, fault);
    this.#through(target, stop, (podConnection) => {
      const missing = (why: Unreached) => stop(notReached(podId, port, why));
      forward(poolFor(podConnection), target, request, response, missing);
    });
  }

  #passUpgrade(upgrade: Upgrade, target: ProxyRequest): void {
    const { socket } = upgrade;
    this.#upgraded.add(socket);
    socket.once("close", () => this.#upgraded.delete(socket));
    socket.on("error", () => {}); // a close event follows
    const stop = (fault: Fault) => refuseUpgrade(upgrade, fault);
    this.#through(target, stop, (podConnection) => {
      const missing = (why: Unreached) => stop(notReached(target.podId, target.port, why));
      forwardUpgrade(poolFor(podConnection), target, upgrade, missing);
    });
  }

  /** Synchronous if the connection is cached, which is nearly always so. */
  #through(
    { podId, port }: ProxyTarget,
    stop: (fault: Fault) => void,
    go: (podConnection: PodConnection) => void,
  ): void {
    const fail = (error: unknown) => {
      if (error instanceof Fault) return stop(error);
      this.#log.error({ err: error, pod: podId, port }, "a request to a Pod failed");
      stop(new Fault("internal", { ref: podId }));
    };
    try {
      const podConnection = this.#reach.podConnection(podId, port);
      if (podConnection instanceof Promise) podConnection.then(go).catch(fail);
      else go(podConnection);
    } catch (error) {
      fail(error);
    }
  }
}

export const isSafe = ({ headers }: InboundRequest) => !/\bh2c?\b/i.test(headers.upgrade ?? "");

interface HostTarget {
  host: string;
  target: ProxyTarget | null;
}

/** Null for a host that is not the proxy's. */
function hostTarget(host: string, domains: readonly string[]): HostTarget | null {
  const domain = domains.find((each) => isWithin(host, each));
  return domain === undefined ? null : { host, target: targetOfName(host, domain) };
}

/** Redirects to the path with a slash; relative links of the page need it. */
function addSlash(request: InboundRequest, response: ResponseWriter): void {
  const [path, ...query] = request.url!.split("?");
  request.resume();
  const location = [`${path}/`, ...query].join("?");
  response.writeHead(308, undefined, ["location", location, "content-length", "0"]);
  response.end();
}

function noTarget(host: string): Fault {
  const form = "<pod>-<port>.<domain>, such as abcdefghijklmn-8888.proxy.localhost";
  return new Fault("no_such_site", {
    detail: `"${host.slice(0, 120)}" is not the host of a Pod's port: use ${form}.`,
  });
}

function noPath(url: string): Fault {
  const path = url.split("?")[0]!.slice(0, 120);
  return new Fault("no_such_site", {
    detail: `"${path}" is not the path of a Pod's port: use /<pod>/<port>/, such as /abcdefghijklmn/8888/.`,
  });
}

function otherHost(host: string): Fault {
  const detail = `its URL has another host than its Host header, ${host}`;
  return new Fault("invalid_http", { detail });
}

function refuseUpgrade({ request, socket }: Upgrade, fault: Fault): void {
  refuse(request, responseOn(request, socket), fault);
}
