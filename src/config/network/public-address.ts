// The address at which other machines reach this one.

import { readFileSync } from "node:fs";
import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import type { Address } from "./listen-address.ts";

export type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

/** Bridges and tunnels of engines and virtual machines, which only this machine reaches. */
const VIRTUAL = /^(?:docker|br-|veth|virbr|cni|flannel|podman|lxc|lxd|vmnet|bridge|utun)/;

/** Whether an interface is such a bridge or tunnel. */
export const isOfEngine = (interfaceName: string): boolean => VIRTUAL.test(interfaceName);

/**
 * This machine's IPv4 address on its network: that of the interface with the default route, otherwise of the first
 * interface that is none of an engine's. Null if there is none.
 */
export function networkAddress(
  interfaces: Interfaces = networkInterfaces(),
  routes: string = routesOfLinux(),
): string | null {
  const addresses = Object.entries(interfaces).flatMap(([name, each]) => {
    const outer = each?.find(({ internal, family }) => !internal && family === "IPv4");
    return outer ? [{ name, address: outer.address }] : [];
  });
  const route = defaultInterface(routes);
  const chosen =
    addresses.find(({ name }) => name === route) ??
    addresses.find(({ name }) => !VIRTUAL.test(name)) ??
    addresses[0];
  return chosen?.address ?? null;
}

/** The interface of the default route with the lowest metric, from the text of /proc/net/route. */
function defaultInterface(routes: string): string | null {
  const defaults = routes
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"))
    .filter(([, destination, , , , , , mask]) => destination === "00000000" && mask === "00000000")
    .sort((one, other) => Number(one[6]) - Number(other[6]));
  return defaults[0]?.[0] ?? null;
}

/** Empty on other systems. */
function routesOfLinux(): string {
  try {
    return readFileSync("/proc/net/route", "utf8");
  } catch {
    return "";
  }
}

export const isWildcard = (host: string) => host === "0.0.0.0" || host === "::";

export const isLoopbackHost = (host: string) =>
  ["localhost", "::1", "[::1]"].includes(host) ||
  host.startsWith("127.") ||
  host.endsWith(".localhost");

/** The listening address; for a wildcard address, the one on the network. */
export function seenFromOutside(origin: string, { host }: Pick<Address, "host">): string {
  if (!isWildcard(host)) return origin;
  const address = networkAddress();
  const { port } = new URL(origin);
  return address === null ? origin : `http://${address}:${port}`;
}
