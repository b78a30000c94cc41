// The names of the certificate that the local authority issues, and what its root may certify at all.

import { isIP, isIPv4 } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { type Permitted, permits } from "../../base/certificate/name-constraints.ts";
import { bareHost } from "../../base/url-host.ts";
import type { Config } from "../../config/config.ts";
import {
  type Interfaces,
  isOfEngine,
  networkAddress,
} from "../../config/network/public-address.ts";
import { USUAL_BALANCER_DOMAIN } from "../../edge/balancer/address.ts";
import { USUAL_DOMAIN } from "../../edge/proxy/proxy-target.ts";

export type NamingSettings = Pick<
  Config,
  "publicUrl" | "proxyDomain" | "balancerDomain" | "s3Url" | "replicaUrl"
>;

export interface CertifiedNames {
  /** What the settings name. */
  settings: string[];
  /** Names and addresses of the machine, which can change at any time. */
  machine: string[];
}

/** Private, loopback, link-local and carrier-grade addresses, which no two sites share on purpose. */
const PRIVATE_RANGES = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "100.64.0.0/10",
  "fc00::/7",
  "fe80::/10",
  "::1/128",
];
const OWN_NAMES = ["localhost", "local"];
const LINK_LOCAL = /^fe80:/i;
const DNS_NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

export function certifiedNames(
  settings: NamingSettings,
  interfaces: Interfaces = networkInterfaces(),
): CertifiedNames {
  const { proxyDomain, balancerDomain } = settings;
  const urls = [settings.publicUrl, settings.s3Url, settings.replicaUrl];
  const hosts = urls.flatMap((url) => (url === null ? [] : [bareHost(new URL(url).hostname)]));
  const domains = [proxyDomain, balancerDomain].filter((domain) => domain !== null);
  const own = hostname().toLowerCase();
  const machine = [
    "localhost",
    `*.${USUAL_DOMAIN}`,
    `*.${USUAL_BALANCER_DOMAIN}`,
    "127.0.0.1",
    "::1",
    ...(DNS_NAME.test(own) ? [own, ...(own.includes(".") ? [] : [`${own}.local`])] : []),
    ...ownAddresses(interfaces),
  ];
  // Endpoints have names below the host of the API.
  const [api] = settings.publicUrl === null ? [] : hosts;
  const below = api !== undefined && isIP(api) === 0 && api.includes(".") ? [`*.${api}`] : [];
  const all = [...hosts, ...below, ...domains.flatMap((domain) => [domain, `*.${domain}`])];
  const named = unique(all);
  return { settings: named, machine: unique(machine).filter((name) => !named.includes(name)) };
}

/** The root's limits, which its certificate carries for as long as it lives. */
export function permittedFor({ settings, machine }: CertifiedNames): Permitted {
  const all = [...settings, ...machine].map(withoutWildcard);
  const addresses = all.filter((name) => isIP(name) !== 0);
  const privateOnly = { names: [], ranges: PRIVATE_RANGES };
  const outer = addresses.filter((address) => !permits(privateOnly, address));
  const ranges = outer.map((address) => `${address}/${isIPv4(address) ? 32 : 128}`);
  const names = [...OWN_NAMES, ...all.filter((name) => isIP(name) === 0)];
  // A name permits those below it.
  const shortest = unique(names).filter(
    (name) => !names.some((other) => other !== name && name.endsWith(`.${other}`)),
  );
  return { names: shortest, ranges: [...PRIVATE_RANGES, ...unique(ranges)] };
}

export const isPermitted = (permitted: Permitted, name: string) =>
  permits(permitted, withoutWildcard(name));

const withoutWildcard = (name: string) => name.replace(/^\*\./, "");

function ownAddresses(interfaces: Interfaces): string[] {
  const outer = networkAddress(interfaces);
  return Object.entries(interfaces).flatMap(([name, each = []]) =>
    each
      .filter(({ internal, address }) => !internal && !LINK_LOCAL.test(address))
      .filter(({ address }) => !isOfEngine(name) || address === outer)
      .map(({ address }) => address),
  );
}

const unique = (names: string[]) => [...new Set(names)];
