// The variables that lead a command to the proxy and to the roots it trusts. Pure.

import { hostedDomains } from "./hosts.ts";

interface Interception {
  /** Such as http://127.0.0.1:40123. */
  proxy: string;
  /** Where the proxy ends TLS without a CONNECT, such as 127.0.0.1:40124. */
  tlsAddress: string;
  /** A module for Node to load first. */
  nodePreload: string;
  /** The file of all roots. */
  roots: string;
  /** The file with the certificate of the local authority alone. */
  authority: string;
  /** A Java trust store with the same roots, if there is a Java. */
  trustStore: string | null;
  key: string;
}

/** Variables that name a file of roots, by the runtimes that read them. */
const ROOT_VARIABLES = [
  "SSL_CERT_FILE", // OpenSSL, Go, Ruby, Rust with native roots
  "REQUESTS_CA_BUNDLE", // Python requests
  "CURL_CA_BUNDLE",
  "GIT_SSL_CAINFO",
  "AWS_CA_BUNDLE",
  "PIP_CERT",
];

const PROXY_VARIABLES = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "WSS_PROXY"];

/** Freehold's own addresses, and whatever else the proxy cannot help with. */
const DIRECT = ["localhost", "127.0.0.1", "::1", ".localhost"];

/** Returns `environment` with the variables of the interception. */
export function childEnvironment(
  environment: NodeJS.ProcessEnv,
  interception: Interception,
): NodeJS.ProcessEnv {
  const { proxy, roots, authority, trustStore, key } = interception;
  const preload = `--require ${JSON.stringify(interception.nodePreload)}`;
  const result: NodeJS.ProcessEnv = { ...environment };
  for (const name of PROXY_VARIABLES) {
    result[name] = proxy;
    result[name.toLowerCase()] = proxy;
  }
  for (const name of ROOT_VARIABLES) result[name] = roots;
  const direct = directHosts(environment.NO_PROXY ?? environment.no_proxy);
  return {
    ...result,
    NO_PROXY: direct,
    no_proxy: direct,
    NODE_EXTRA_CA_CERTS: authority,
    NODE_USE_ENV_PROXY: "1",
    NODE_OPTIONS: [environment.NODE_OPTIONS, preload].filter(Boolean).join(" "),
    FREEHOLD_INTERCEPT: interception.tlsAddress,
    DENO_CERT: authority,
    RUNPOD_API_KEY: key,
    FREEHOLD_KEY: key,
    ...(trustStore && {
      JAVA_TOOL_OPTIONS: [environment.JAVA_TOOL_OPTIONS, ...javaOptions(proxy, trustStore)]
        .filter(Boolean)
        .join(" "),
    }),
  };
}

/** A hosted name, or "*", would lead around the proxy to the hosted service. */
function directHosts(own = ""): string {
  const entries = own.split(",").map((entry) => entry.trim());
  const isHosted = (entry: string) =>
    hostedDomains.some((domain) => `.${entry.toLowerCase()}`.endsWith(`.${domain}`));
  const safe = entries.filter((entry) => entry && entry !== "*" && !isHosted(entry));
  return [...new Set([...DIRECT, ...safe])].join(",");
}

function javaOptions(proxy: string, trustStore: string): string[] {
  const { hostname, port } = new URL(proxy);
  return [
    ...["http", "https"].flatMap((scheme) => [
      `-D${scheme}.proxyHost=${hostname}`,
      `-D${scheme}.proxyPort=${port}`,
    ]),
    "-Dhttp.nonProxyHosts=localhost|127.*|[::1]|*.localhost",
    `-Djavax.net.ssl.trustStore=${trustStore}`,
    "-Djavax.net.ssl.trustStorePassword=changeit",
  ];
}
