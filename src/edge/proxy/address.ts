// Which port of which Pod a request asks for: by its Host header, or by its path. Pure.

export interface Site {
  podId: string;
  port: number;
}

/** On this machine browsers and curl find such names by themselves. */
export const USUAL_DOMAIN = "proxy.localhost";

const LABEL = /^([a-z0-9][a-z0-9_-]{0,63})-([1-9]\d{0,4})$/;

/** A host name without its port, as names are compared. */
export function hostName(host: string): string {
  const name = host.toLowerCase();
  const colon = name.lastIndexOf(":");
  const bare = colon === -1 || name.endsWith("]") ? name : name.slice(0, colon);
  return bare.endsWith(".") ? bare.slice(0, -1) : bare;
}

/** Whether a name is one of the proxy's: nothing else of the service answers there. */
export function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

/** What "<pod>-<port>.<domain>" names; null where the name is of no such form. */
export function siteOfName(name: string, domain: string): Site | null {
  if (!name.endsWith(`.${domain}`)) return null;
  return siteOf(LABEL.exec(name.slice(0, -domain.length - 1)));
}

export interface PathSite extends Site {
  /** "/<pod>/<port>", to stand before every path of the site. */
  prefix: string;
  /** The path and query that the Pod is asked for; null where only the slash is missing. */
  rest: string | null;
}

const PATH = /^\/([A-Za-z0-9_-]{1,64})\/([1-9]\d{0,4})(?=[/?]|$)/;

/** What "/<pod>/<port>/..." asks for; null where the path is of no such form. */
export function siteOfPath(url: string): PathSite | null {
  const match = PATH.exec(url);
  const site = siteOf(match);
  if (!match || !site) return null;
  const rest = url.slice(match[0].length);
  return { ...site, prefix: match[0], rest: rest.startsWith("/") ? rest : null };
}

function siteOf(match: RegExpExecArray | null): Site | null {
  const port = Number(match?.[2]);
  return match && port <= 65_535 ? { podId: match[1]!, port } : null;
}
