// The Pod and port of a proxied request, from its Host header or its path. Pure.

export interface ProxyTarget {
  podId: string;
  port: number;
}

/** Browsers and curl resolve names below localhost to this machine. */
export const USUAL_DOMAIN = "proxy.localhost";

const LABEL = /^([a-z0-9][a-z0-9_-]{0,63})-([1-9]\d{0,4})$/;

/** A host name in lower case, without port and final dot. */
export function hostName(host: string): string {
  const name = host.toLowerCase();
  const colon = name.lastIndexOf(":");
  const bare = colon === -1 || name.endsWith("]") ? name : name.slice(0, colon);
  return bare.endsWith(".") ? bare.slice(0, -1) : bare;
}

/** Whether a host name belongs to the proxy. */
export function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

/** The target of "<pod>-<port>.<domain>"; null for any other form. */
export function targetOfName(name: string, domain: string): ProxyTarget | null {
  if (!name.endsWith(`.${domain}`)) return null;
  return targetOf(LABEL.exec(name.slice(0, -domain.length - 1)));
}

export interface PathTarget extends ProxyTarget {
  /** "/<pod>/<port>", the prefix of every path of the Pod. */
  prefix: string;
  /** The path and query of the request to the Pod; null if only the final slash is missing. */
  rest: string | null;
}

const PATH = /^\/([A-Za-z0-9_-]{1,64})\/([1-9]\d{0,4})(?=[/?]|$)/;

/** The target of "/<pod>/<port>/..."; null for any other form. */
export function targetOfPath(url: string): PathTarget | null {
  const match = PATH.exec(url);
  const target = targetOf(match);
  if (!match || !target) return null;
  const rest = url.slice(match[0].length);
  return { ...target, prefix: match[0], rest: rest.startsWith("/") ? rest : null };
}

function targetOf(match: RegExpExecArray | null): ProxyTarget | null {
  const port = Number(match?.[2]);
  return match && port <= 65_535 ? { podId: match[1]!, port } : null;
}
