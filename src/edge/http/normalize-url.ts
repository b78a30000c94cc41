// URL normalization for real clients: double slashes from a base URL that ends in a slash, queries that old
// workers append to the path with "&" because their template has no "?", and the whole URL, which a client sends
// that takes the service for its HTTP proxy (RFC 9112, 3.2.2).

const WORKER_ROUTE =
  /^\/v2\/[^/?]+\/(?:job-take|job-take-batch|job-stop|job-done|job-stream|ping)\//;

const ORIGIN = /^https?:\/\/[^/?]*/i;

export function normalizeUrl(target: string): string {
  const url = stripOrigin(target);
  const question = url.indexOf("?");
  if (!needsNormalizing(url, question === -1 ? url.length : question)) return url;
  const path = question === -1 ? url : url.slice(0, question);
  const query = question === -1 ? "" : url.slice(question + 1);
  const collapsed = path.replace(/\/{2,}/g, "/");
  const ampersand = WORKER_ROUTE.test(collapsed) ? collapsed.indexOf("&") : -1;
  if (ampersand === -1) return question === -1 ? collapsed : `${collapsed}?${query}`;
  const pathQuery = collapsed.slice(ampersand + 1);
  return `${collapsed.slice(0, ampersand)}?${query ? `${pathQuery}&${query}` : pathQuery}`;
}

/** The path and query of a whole URL; anything else is left as it is. */
export function stripOrigin(target: string): string {
  if (target.startsWith("/")) return target;
  const rest = target.replace(ORIGIN, "");
  return rest.startsWith("/") || rest === target ? rest : `/${rest}`;
}

/** A fast check of the path; queries are never changed. */
function needsNormalizing(url: string, pathEnd: number): boolean {
  const slashes = url.indexOf("//");
  if (slashes !== -1 && slashes < pathEnd) return true;
  const ampersand = url.indexOf("&");
  return ampersand !== -1 && ampersand < pathEnd;
}
