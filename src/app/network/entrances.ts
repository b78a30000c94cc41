// Where other computers reach each listener of a service that is not on loopback, or why they do not.

import type { Config } from "../config/config.ts";
import { isLoopbackHost, isWildcard, networkAddress } from "../config/public-address.ts";

interface Entrance {
  name: "console" | "Pods" | "SSH" | "S3" | "TCP ports";
  /** What others use; null if they do not reach it. */
  address: string | null;
  /** What others cannot do, and the setting that changes it. */
  problem?: string;
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
  Pick<Config, "sshListen" | "ports">;

function entrancesOf(config: Reached, ports: Ports): Entrance[] {
  const publicUrl = config.publicUrl ?? outerUrl(config, ports.service);
  if (publicUrl === null) return [];
  const { protocol, hostname, port } = new URL(publicUrl);
  const { publicIp } = config;
  return [
    { name: "console", address: `${publicUrl}/` },
    podsEntrance(config, ports, { protocol, hostname, port }),
    ports.ssh !== null && config.sshListen && !isLoopbackHost(config.sshListen.host)
      ? { name: "SSH", address: `ssh <pod>@${bare(hostname)} -p ${ports.ssh}` }
      : closed("SSH", config.sshListen, "--ssh-listen", ports.service + 3),
    s3Entrance(config, ports, hostname),
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
function outerUrl({ host }: Reached, port: number): string | null {
  if (isLoopbackHost(host)) return null;
  const address = isWildcard(host) ? networkAddress() : host;
  return address && `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
}

function podsEntrance(
  { proxyDomain, proxyListen }: Reached,
  ports: Ports,
  { protocol, hostname, port }: Pick<URL, "protocol" | "hostname" | "port">,
): Entrance {
  const name = "Pods";
  if (proxyDomain !== null) {
    const address = `${protocol}//<pod>-<port>.${proxyDomain}${port ? `:${port}` : ""}/`;
    return { name, address };
  }
  if (ports.proxy !== null && proxyListen && !isLoopbackHost(proxyListen.host)) {
    return { name, address: `http://${hostname}:${ports.proxy}/<pod>/<port>/` };
  }
  return closed(name, proxyListen, "--proxy-listen", ports.service + 1);
}

function s3Entrance({ s3Url, s3Listen }: Reached, ports: Ports, hostname: string): Entrance {
  if (s3Url !== null) return { name: "S3", address: s3Url };
  if (ports.s3 !== null && s3Listen && !isLoopbackHost(s3Listen.host)) {
    return { name: "S3", address: `http://${hostname}:${ports.s3}` };
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

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, "");

/** The lines of the first screen; empty where only this machine reaches the service. */
export function entranceLines(config: Reached & Pick<Config, "team">, ports: Ports): string[] {
  if (isLoopbackHost(config.host) && config.publicUrl === null) return [];
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
  return ["from other computers:", ...lines, ...hints];
}
