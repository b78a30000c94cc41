// The hosted addresses that Freehold answers, and what happens to a request for each. Pure.

/** What the proxy does with a host. */
export type Destination =
  /** Freehold answers at its own origin. */
  | { to: "api" }
  /** Freehold answers as one port of a Pod. */
  | { to: "pod"; label: string }
  /** A hosted address without a counterpart here. It is never passed on. */
  | { to: "refused" }
  | { to: "elsewhere" };

/** Hosts that lead to the API. Their paths are the same as Freehold's. */
const API_HOSTS = [
  "api.runpod.io",
  "api.runpod.ai",
  "rest.runpod.io",
  "v2-rest.runpod.io",
  "hapi.runpod.net",
];

/** The parent of the names `<pod>-<port>`. */
const POD_PARENT = "proxy.runpod.net";

/** Everything under these domains is hosted. */
export const hostedDomains = ["runpod.io", "runpod.ai", "runpod.net", "runpod.dev", "runpod.com"];

/** The names a certificate of the authority may cover, with the names below them. */
export const certifiedNames = [...API_HOSTS, POD_PARENT];

/** `host` has no port. Case and a trailing dot do not matter. */
export function destinationOf(host: string): Destination {
  const name = host.toLowerCase().replace(/\.$/, "");
  if (API_HOSTS.includes(name)) return { to: "api" };
  const label = labelBelow(name, POD_PARENT);
  if (label !== null) return { to: "pod", label };
  return hostedDomains.some((domain) => name === domain || name.endsWith(`.${domain}`))
    ? { to: "refused" }
    : { to: "elsewhere" };
}

/** Returns the single label in front of `parent`, or null. */
function labelBelow(name: string, parent: string): string | null {
  if (!name.endsWith(`.${parent}`)) return null;
  const label = name.slice(0, -parent.length - 1);
  return label.includes(".") ? null : label;
}
