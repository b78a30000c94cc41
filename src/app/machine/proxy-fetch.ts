// `fetch` through the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name. Node's own reads them only for the whole
// process, where calls of workers and engines must not go through a proxy.

import type { EnvHttpProxyAgent } from "undici";

/** Returns Node's own `fetch` if the environment names no proxy. */
export async function proxyFetch(environment: NodeJS.ProcessEnv): Promise<typeof fetch> {
  const read = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined;
  const [httpProxy, httpsProxy] = [read("HTTP_PROXY"), read("HTTPS_PROXY")];
  if (!httpProxy && !httpsProxy) return fetch;
  const undici = await import("undici");
  const noProxy = read("NO_PROXY") ?? "";
  const dispatcher: EnvHttpProxyAgent = new undici.EnvHttpProxyAgent({
    ...{ httpProxy, httpsProxy, noProxy },
  });
  const through = (url: string, options: object) => undici.fetch(url, { ...options, dispatcher });
  return through as unknown as typeof fetch;
}
