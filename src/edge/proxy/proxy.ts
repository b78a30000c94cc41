// The proxy: requests for a Pod's http ports, told from all others by their Host header, or come by a
// listener of their own where the path tells. It asks for no key: what a port shows, it shows to
// whoever has its address.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { Fault } from "../../domain/fault.ts";
import type { Unreached } from "../../domain/pod/unreached.ts";
import { type Door, notReached, type Reach } from "../../flows/pod/reach.ts";
import type { Answerer, Upgrade, Upgrader } from "../http/listener.ts";
import { hostName, isWithin, type Site, siteOfName, siteOfPath, USUAL_DOMAIN } from "./address.ts";
import { forward } from "./forward.ts";
import { laneTo } from "./lane.ts";
import { OwnKeys } from "./own-credentials.ts";
import { refuse } from "./refusal.ts";
import { passUpgrade, responseOn } from "./upgrade.ts";
import { addressOf, type Visit } from "./visit.ts";

export interface ProxyOptions {
  reach: Reach;
  /** Names below it are Pods'; null for none but those of this machine. */
  domain: string | null;
  /** A key of ours that does not look like one. */
  chosenKey: string | null;
  log: { error(facts: object, message: string): void };
}

/** So many names are remembered with what they name. */
const MOST_NAMES = 10_000;

export class PodProxy implements Answerer, Upgrader {
  readonly #reach: Reach;
  readonly #domains: readonly string[];
  readonly #keys: OwnKeys;
  readonly #log: ProxyOptions["log"];
  /** By the Host header: what it names, or that it is none of ours. */
  #hosts = new Map<string, Named | null>();
  readonly #upgraded = new Set<Duplex>();
  /** Where the listener is that goes by paths; a page from there speaks for no one. */
  pathOrigin: string | null = null;

  constructor({ reach, domain, chosenKey, log }: ProxyOptions) {
    this.#reach = reach;
    this.#domains = domain === null ? [USUAL_DOMAIN] : [domain, USUAL_DOMAIN];
    this.#keys = new OwnKeys(chosenKey);
    this.#log = log;
  }

  /** Whether a request is the proxy's: nobody else may answer it. */
  takes({ headers: { host } }: IncomingMessage): boolean {
    return host !== undefined && this.#named(host) !== null;
  }

  /** What becomes another HTTP would pass by all that is taken care of here. */
  takesUpgrade(request: IncomingMessage): boolean {
    return this.takes(request) && isSafe(request);
  }

  /** Whether an Origin header names a page that came through here. */
  isPage(origin: string): boolean {
    if (origin === this.pathOrigin) return true;
    const host = /^https?:\/\/(.+)$/.exec(origin)?.[1];
    return host !== undefined && this.#named(host) !== null;
  }

  /** Answers a request that it takes. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    const visit = this.#visitByName(request);
    if (visit instanceof Fault) refuse(request, response, visit);
    else this.#pass(request, response, visit);
  }

  upgrade(upgrade: Upgrade): void {
    const visit = this.#visitByName(upgrade.request);
    if (visit instanceof Fault) refuseUpgrade(upgrade, visit);
    else this.#passUpgrade(upgrade, visit);
  }

  /** Answers a request whose path says which site it is for. */
  handlePath(request: IncomingMessage, response: ServerResponse): void {
    const visit = this.#visitByPath(request);
    if (visit instanceof Fault) refuse(request, response, visit);
    else if (visit === "slash") addSlash(request, response);
    else this.#pass(request, response, visit);
  }

  upgradePath(upgrade: Upgrade): void {
    const visit = this.#visitByPath(upgrade.request);
    if (visit instanceof Fault) refuseUpgrade(upgrade, visit);
    else if (visit === "slash") refuseUpgrade(upgrade, noPath(upgrade.request.url!));
    else this.#passUpgrade(upgrade, visit);
  }

  /** Breaks off whatever is still under way. */
  close(): void {
    this.#reach.close();
    for (const socket of this.#upgraded) socket.destroy();
  }

  #named(host: string): Named | null {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    const name = hostName(host);
    const domain = this.#domains.find((each) => isWithin(name, each));
    const named = domain === undefined ? null : { host: name, site: siteOfName(name, domain) };
    if (this.#hosts.size >= MOST_NAMES) this.#hosts = new Map();
    this.#hosts.set(host, named);
    return named;
  }

  #visitByName(request: IncomingMessage): Visit | Fault {
    const { host, site } = this.#named(request.headers.host!)!;
    if (site === null) return noSite(host);
    const path = ownPath(request.url!, host);
    return path === null
      ? otherHost(host)
      : this.#visit(request, { ...site, host, path, prefix: null });
  }

  #visitByPath(request: IncomingMessage): Visit | Fault | "slash" {
    const site = siteOfPath(request.url!);
    if (site === null) return noPath(request.url!);
    const { podId, port, prefix, rest } = site;
    if (rest === null) return "slash";
    const host = hostName(request.headers.host ?? "");
    return this.#visit(request, { podId, port, prefix, host, path: rest });
  }

  #visit(request: IncomingMessage, where: Omit<Visit, "from" | "keys">): Visit {
    const keys = this.#keys;
    return { ...where, path: keys.withoutIn(where.path), from: addressOf(request), keys };
  }

  #pass(request: IncomingMessage, response: ServerResponse, visit: Visit): void {
    const { podId, port } = visit;
    const stop = (fault: Fault) => refuse(request, response, fault);
    this.#through(visit, stop, (door) => {
      const missing = (why: Unreached) => stop(notReached(podId, port, why));
      forward(laneTo(door), visit, request, response, missing);
    });
  }

  #passUpgrade(upgrade: Upgrade, visit: Visit): void {
    const { socket } = upgrade;
    this.#upgraded.add(socket);
    socket.once("close", () => this.#upgraded.delete(socket));
    socket.on("error", () => {}); // its close follows
    const stop = (fault: Fault) => refuseUpgrade(upgrade, fault);
    this.#through(visit, stop, (door) => {
      const missing = (why: Unreached) => stop(notReached(visit.podId, visit.port, why));
      passUpgrade(laneTo(door), visit, upgrade, missing);
    });
  }

  /** At once where the door is remembered, which is nearly always. */
  #through({ podId, port }: Site, stop: (fault: Fault) => void, go: (door: Door) => void): void {
    const stumble = (error: unknown) => {
      if (error instanceof Fault) return stop(error);
      this.#log.error({ err: error, pod: podId, port }, "a request to a Pod failed");
      stop(new Fault("internal", { ref: podId }));
    };
    try {
      const door = this.#reach.door(podId, port);
      if (door instanceof Promise) door.then(go).catch(stumble);
      else go(door);
    } catch (error) {
      stumble(error);
    }
  }
}

export const isSafe = ({ headers }: IncomingMessage) => !/\bh2c?\b/i.test(headers.upgrade ?? "");

interface Named {
  host: string;
  site: Site | null;
}

/** A whole address may stand in the path's place; then it is the host that counts. */
function ownPath(url: string, host: string): string | null {
  if (url.startsWith("/") || url === "*") return url;
  const match = /^https?:\/\/([^/?#]+)(.*)$/i.exec(url);
  if (!match || hostName(match[1]!) !== host) return null;
  return match[2]!.startsWith("/") ? match[2]! : `/${match[2]}`;
}

/** Relative links of a page would lead beside it. */
function addSlash(request: IncomingMessage, response: ServerResponse): void {
  const [path, ...query] = request.url!.split("?");
  request.resume();
  const location = [`${path}/`, ...query].join("?");
  response.writeHead(308, { location, "content-length": 0 }).end();
}

function noSite(host: string): Fault {
  const form = "<pod>-<port>.<domain>, such as abcdefghijklmn-8888.proxy.localhost";
  return new Fault("no_such_site", {
    detail: `"${host.slice(0, 120)}" names no port of a Pod: that is ${form}.`,
  });
}

function noPath(url: string): Fault {
  const path = url.split("?")[0]!.slice(0, 120);
  return new Fault("no_such_site", {
    detail: `"${path}" names no port of a Pod: that is /<pod>/<port>/, such as /abcdefghijklmn/8888/.`,
  });
}

function otherHost(host: string): Fault {
  const detail = `its address names another host than its Host header, ${host}`;
  return new Fault("invalid_http", { detail });
}

function refuseUpgrade({ request, socket }: Upgrade, fault: Fault): void {
  refuse(request, responseOn(request, socket), fault);
}
