// The variables of a command under interception: the route to the proxy, the key, and what some runtimes need
// besides. Pure.

import path from "node:path";
import { type ProxyRoute, proxyEnvironment } from "./proxy-environment.ts";

interface Interception extends ProxyRoute {
  /** Where the proxy ends TLS without a CONNECT, such as 127.0.0.1:40124. */
  tlsAddress: string;
  /** A module for Node to load first. */
  nodePreload: string;
  /** A folder with a module for Python to load first. */
  pythonPath: string;
  /** A Java trust store with the same roots, if there is a Java. */
  trustStore: string | null;
  key: string;
}

/** Returns `environment` with the variables of the interception. */
export function childEnvironment(
  environment: NodeJS.ProcessEnv,
  interception: Interception,
): NodeJS.ProcessEnv {
  const { proxy, trustStore, key } = interception;
  const preload = `--require ${JSON.stringify(interception.nodePreload)}`;
  return {
    ...proxyEnvironment(environment, interception),
    NODE_OPTIONS: [environment.NODE_OPTIONS, preload].filter(Boolean).join(" "),
    PYTHONPATH: [interception.pythonPath, environment.PYTHONPATH]
      .filter(Boolean)
      .join(path.delimiter),
    FREEHOLD_INTERCEPT: interception.tlsAddress,
    RUNPOD_API_KEY: key,
    FREEHOLD_KEY: key,
    ...(trustStore && {
      JAVA_TOOL_OPTIONS: [environment.JAVA_TOOL_OPTIONS, ...javaOptions(proxy, trustStore)]
        .filter(Boolean)
        .join(" "),
    }),
  };
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
