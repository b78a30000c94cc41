// Where other computers reach each listener of a service that is not on loopback, or why they do not.

import { bareHost, urlHost } from "../../base/url-host.ts";
import { ROOT_PATH } from "../../edge/http/tls/root-route.ts";
import { fingerprintOf, readRoot, type ServedFiles } from "../certificate/own-files.ts";
import { overTls } from "../certificate/tls-config.ts";
import type { Config } from "../config.ts";
import { isLoopbackHost, isWildcard, networkAddress } from "../network/public-address.ts";

export interface Entrance {
  name: "console" | "Pods" | "SSH" | "S3" | "TCP ports";
  /** What others use; null if they do not reach it. */
  address: string | null;
  /** Why they do not, and the setting that changes it. */
  problem?: string;
  /** Where something answers that speaks the protocol; `<any>` in it stands for any name. */
  probe?: { protocol: "http:" | "https:" | "ssh:"; host: string; port: number };
}

/** The ports that the listeners have; null for one that is off. */
interface Ports {
  service: number;
  proxy: number | null;
  s3: number | null;
  ssh: number | null;
}

type Reached = Pick<
  Config,
  "host" | "publicUrl" | "publicIp" | "proxyDomain" | "proxyListen" | "s3Listen" | "s3Url"
> &
  Pick<Config, "sshListen" | "ports" | "tls" | "acme">;

type Shown = Reached & Pick<Config, "team" | "dataFolder">;

/** Empty where only this machine reaches the service. */
function entrancesOf(config: Reached, ports: Ports): Entrance[] {
  const publicUrl = config.publicUrl ?? outerUrl(config, ports.service);
  if (publicUrl === null) return [];
  const { publicIp } = config;
  return [
    { name: "console", address: `${publicUrl}/`, probe: probeOf(publicUrl) },
    podsEntrance(config, ports, new URL(publicUrl)),
    sshEntrance(config, ports, new URL(publicUrl)),
    s3Entrance(config, ports, new URL(publicUrl)),
    publicIp !== null && !isLoopbackHost(publicIp)
      ? { name: "TCP ports", address: `${publicIp}:${config.ports.first}-${config.ports.last}` }
      : {
          name: "TCP ports",
          address: null,
          problem: "no address is known; set --public-ip to this machine's",
        },
  ];
}

/** Null where only this machine reaches the service, and where it is on no network. */
function outerUrl({ host, tls }: Reached, port: number): string | null {
  if (isLoopbackHost(host)) return null;
  const address = isWildcard(host) ? networkAddress() : host;
  return address && overTls(tls, `http://${urlHost(address)}:${port}`);
}

function podsEntrance(
  { proxyDomain, proxyListen, tls }: Reached,
  ports: Ports,
  { protocol, hostname, port }: URL,
): Entrance {
  const name = "Pods";
  if (proxyDomain !== null) {
    const below = `${proxyDomain}${port ? `:${port}` : ""}`;
    const probe = { ...probeOf(`${protocol}//${below}`), host: `<any>.${proxyDomain}` };
    return { name, address: `${protocol}//<pod>-<port>.${below}/`, probe };
  }
  if (ports.proxy !== null && proxyListen && !isLoopbackHost(proxyListen.host)) {
    const origin = `${tls ? "https" : "http"}://${hostname}:${ports.proxy}`;
    return { name, address: `${origin}/<pod>/<port>/`, probe: probeOf(origin) };
  }
  return closed(name, proxyListen, "--proxy-listen", ports.service + 1);
}

function sshEntrance({ sshListen }: Reached, ports: Ports, { hostname }: URL): Entrance {
  if (ports.ssh === null || !sshListen || isLoopbackHost(sshListen.host)) {
    return closed("SSH", sshListen, "--ssh-listen", ports.service + 3);
  }
  const host = bareHost(hostname);
  const probe = { protocol: "ssh:", host, port: ports.ssh } as const;
  return { name: "SSH", address: `ssh <pod>@${host} -p ${ports.ssh}`, probe };
}

function s3Entrance({ s3Url, s3Listen, tls }: Reached, ports: Ports, { hostname }: URL): Entrance {
  if (s3Url !== null) return { name: "S3", address: s3Url, probe: probeOf(s3Url) };
  if (ports.s3 !== null && s3Listen && !isLoopbackHost(s3Listen.host)) {
    const address = `${tls ? "https" : "http"}://${hostname}:${ports.s3}`;
    return { name: "S3", address, probe: probeOf(address) };
  }
  return closed("S3", s3Listen, "--s3-listen", ports.service + 2);
}

function closed(
  name: Entrance["name"],
  listen: { host: string } | null,
  flag: string,
  port: number,
): Entrance {
  const why = listen ? `it listens on ${listen.host}` : "it is off";
  return { name, address: null, problem: `${why}; open it with ${flag} 0.0.0.0:${port}` };
}

function probeOf(url: string): NonNullable<Entrance["probe"]> {
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === "https:";
  return {
    protocol: isTls ? "https:" : "http:",
    host: bareHost(hostname),
    port: Number(port || (isTls ? 443 : 80)),
  };
}

/** For `freehold doctor`, which does not know the flags of `freehold up`. */
export interface ReachedFromOutside {
  entrances: Entrance[];
  /** The ports that this machine's firewall must let through. */
  ports: number[];
  /** The files of the certificate, and the host of links. */
  tls: ServedFiles | null;
  publicUrl: string | null;
}

export function reachedFromOutside(config: Reached, sockets: Sockets): ReachedFromOutside {
  const ports = portsOf(sockets);
  const { tls, publicUrl } = config;
  return {
    entrances: entrancesOf(config, ports),
    ports: openPortsOf(config, ports),
    tls,
    publicUrl,
  };
}

/** The ports that this machine's firewall must let through. */
function openPortsOf(config: Reached, ports: Ports): number[] {
  const { host, proxyListen, s3Listen, sshListen, acme } = config;
  const listeners = [
    { host, port: ports.service },
    ...(proxyListen ? [{ host: proxyListen.host, port: ports.proxy }] : []),
    ...(s3Listen ? [{ host: s3Listen.host, port: ports.s3 }] : []),
    ...(sshListen ? [{ host: sshListen.host, port: ports.ssh }] : []),
    ...(acme ? [acme.listen] : []),
  ];
  return listeners.flatMap(({ host, port }) => (isLoopbackHost(host) || !port ? [] : [port]));
}

interface Sockets {
  origin: string;
  proxyOrigin: string | null;
  s3Origin: string | null;
  sshAddress: { port: number } | null;
}

export function portsOf({ origin, proxyOrigin, s3Origin, sshAddress }: Sockets): Ports {
  const portOf = (url: string) => Number(new URL(url).port || 80);
  return {
    service: portOf(origin),
    proxy: proxyOrigin && portOf(proxyOrigin),
    s3: s3Origin && portOf(s3Origin),
    ssh: sshAddress?.port ?? null,
  } as Ports;
}

/** A client needs the root before it can speak TLS, so its address is one of plain http. */
function rootLines({ tls, dataFolder }: Shown, [console]: Entrance[]): string[] {
  const root = tls?.issuer === "local" ? readRoot(dataFolder) : null;
  if (root === null || !console?.address) return [];
  const address = new URL(ROOT_PATH, console.address.replace(/^https:/, "http:"));
  return [
    `  root      ${address}   install it in browsers and clients: docs/tls.md`,
    `            SHA-256 ${fingerprintOf(root)}`,
  ];
}

/** The lines of the first screen; empty where only this machine reaches the service. */
export function entranceLines(config: Shown, ports: Ports): string[] {
  const entrances = entrancesOf(config, ports);
  if (entrances.length === 0) return [];
  const lines = entrances.map(({ name, address, problem }) => {
    const says = address ?? `not reachable: ${problem}`;
    return `  ${name.padEnd(10)}${says}`;
  });
  const hints = [
    ...(config.publicUrl === null
      ? ["  links name the address by which a request came; --public-url sets one for all"]
      : []),
    ...(!config.team && entrances.some(({ address }) => address === null)
      ? ["  `freehold up --team` opens all of them"]
      : []),
  ];
  return ["from other computers:", ...lines, ...rootLines(config, entrances), ...hints];
}
