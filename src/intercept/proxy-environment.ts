// The variables that lead common runtimes to the proxy and to the roots they trust. Pure.

import { hostedDomains } from "./hosts.ts";

export interface ProxyRoute {
  /** Such as http://127.0.0.1:40123. */
  proxy: string;
  /** The file of all roots. */
  roots: string;
  /** The file with the certificate of the local authority alone. */
  authority: string;
}

/** Variables that name a file of roots, by the runtimes that read them. */
const ROOT_VARIABLES = [
  "SSL_CERT_FILE", // OpenSSL, Go, Ruby, Rust with native roots
  "REQUESTS_CA_BUNDLE", // Python requests
  "CURL_CA_BUNDLE",
  "GIT_SSL_CAINFO",
  "PIP_CERT",
];

const PROXY_VARIABLES = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "WSS_PROXY"];

/** Freehold's own addresses, and whatever else the proxy cannot help with. */
const DIRECT = ["localhost", "127.0.0.1", "::1", ".localhost"];

/** Returns `environment` with the variables of the route. The hosts in `direct` are reached without the proxy. */
export function proxyEnvironment(
  environment: NodeJS.ProcessEnv,
  { proxy, roots, authority }: ProxyRoute,
  direct: readonly string[] = [],
): NodeJS.ProcessEnv {
  const result: NodeJS.ProcessEnv = { ...environment };
  for (const name of PROXY_VARIABLES) {
    result[name] = proxy;
    result[name.toLowerCase()] = proxy;
  }
  for (const name of ROOT_VARIABLES) result[name] = roots;
  // Some AWS libraries fail with it if the program brings a transport of its own, and without it they read
  // the variables above.
  if (environment.AWS_CA_BUNDLE) result.AWS_CA_BUNDLE = roots;
  const without = directHosts(direct, environment.NO_PROXY ?? environment.no_proxy);
  return {
    ...result,
    NO_PROXY: without,
    no_proxy: without,
    NODE_EXTRA_CA_CERTS: authority,
    NODE_USE_ENV_PROXY: "1",
    DENO_CERT: authority,
  };
}

/** A hosted name, or "*", would lead around the proxy to the hosted service. */
function directHosts(direct: readonly string[], own = ""): string {
  const entries = own.split(",").map((entry) => entry.trim());
  const isHosted = (entry: string) =>
    hostedDomains.some((domain) => leadsTo(entry.toLowerCase(), domain));
  const safe = entries.filter((entry) => entry && entry !== "*" && !isHosted(entry));
  return [...new Set([...DIRECT, ...direct, ...safe])].join(",");
}

/** Whether an entry such as `.host`, `*.host`, `host.` or `host:443` covers a name of the domain. */
function leadsTo(entry: string, domain: string): boolean {
  const name = entry
    .replace(/:\d+$/, "")
    .replace(/\.$/, "")
    .replace(/^\*?\./, "");
  return `.${name}`.endsWith(`.${domain}`) || domain.endsWith(`.${name}`);
}
