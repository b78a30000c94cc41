// The hosted addresses that Freehold answers, and what happens to a request for each. Pure.

/** What the proxy does with a host. */
export type Destination =
  /** Freehold answers at its own origin. */
  | { to: "api" }
  /** Freehold answers as one port of a Pod. */
  | { to: "pod"; label: string }
  /** Freehold answers as a load-balancing endpoint. */
  | { to: "endpoint"; label: string }
  /** A hosted address without a counterpart here. It is never passed on. */
  | { to: "refused" }
  | { to: "elsewhere" };

/** Hosts that lead to the API. Their paths are the same as Freehold's. */
export const apiHosts = [
  "api.runpod.io",
  "api.runpod.ai",
  "rest.runpod.io",
  "v2-rest.runpod.io",
  "hapi.runpod.net",
];

/** The parent of the names `<pod>-<port>`. */
const POD_PARENT = "proxy.runpod.net";

/** The parent of the names `<endpoint>`. */
const ENDPOINT_PARENT = "api.runpod.ai";

/** Everything under these domains is hosted. */
export const hostedDomains = ["runpod.io", "runpod.ai", "runpod.net", "runpod.dev", "runpod.com"];

/** The names a certificate of the authority may cover, with the names below them. */
export const certifiedNames = [...apiHosts, POD_PARENT];

/** `host` has no port. Case and trailing dots do not matter. */
export function destinationOf(host: string): Destination {
  const name = host.toLowerCase().replace(/\.+$/, "");
  if (apiHosts.includes(name)) return { to: "api" };
  const pod = labelBelow(name, POD_PARENT);
  if (pod !== null) return { to: "pod", label: pod };
  const endpoint = labelBelow(name, ENDPOINT_PARENT);
  if (endpoint !== null) return { to: "endpoint", label: endpoint };
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
