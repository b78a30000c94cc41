// Puts right the addresses that real clients send: doubled slashes from a base that ends in one,
// and queries that old workers glue to the path with "&" because their template had no "?".

const WORKER_ROUTE =
  /^\/v2\/[^/?]+\/(?:job-take|job-take-batch|job-stop|job-done|job-stream|ping)\//;

export function mendAddress(url: string): string {
  const question = url.indexOf("?");
  if (!needsMending(url, question === -1 ? url.length : question)) return url;
  const path = question === -1 ? url : url.slice(0, question);
  const query = question === -1 ? "" : url.slice(question + 1);
  const collapsed = path.replace(/\/{2,}/g, "/");
  const glue = WORKER_ROUTE.test(collapsed) ? collapsed.indexOf("&") : -1;
  if (glue === -1) return question === -1 ? collapsed : `${collapsed}?${query}`;
  const glued = collapsed.slice(glue + 1);
  return `${collapsed.slice(0, glue)}?${query ? `${glued}&${query}` : glued}`;
}

/** Nothing in a query needs mending, and most addresses have nothing else that could. */
function needsMending(url: string, pathEnd: number): boolean {
  const slashes = url.indexOf("//");
  if (slashes !== -1 && slashes < pathEnd) return true;
  const ampersand = url.indexOf("&");
  return ampersand !== -1 && ampersand < pathEnd;
}
