// Interception for containers: their requests for hosted addresses lead to this service, through a proxy that listens on
// the gateway address of each account's network. Containers get the certificate of the authority, never its key.

import { readFileSync } from "node:fs";
import path from "node:path";
import { writeRootBundle } from "../../base/certificate/root-bundle.ts";
import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { Config } from "../../config/config.ts";
import type { DockerDriver } from "../../drivers/docker/docker-driver.ts";
import type { MachineFirewall } from "../../drivers/docker/network/firewall.ts";
import type { Intercept, Workload } from "../../drivers/driver.ts";
import { keepPort, keptPort } from "../../installation/kept-port.ts";
import { apiHosts, certifiedNames } from "../../intercept/hosts.ts";
import { createProxyServers } from "../../intercept/proxy.ts";
import { proxyEnvironment } from "../../intercept/proxy-environment.ts";
import { upstreamProxy } from "../../intercept/upstream-proxy.ts";
import { lookupFor } from "../../loops/deliveries/reach.ts";
import { ContainerGateway } from "./container-gateway.ts";
import { inTime } from "./engine-facts.ts";
import { ownHostNetwork } from "./host-network.ts";

/** Where containers find the roots. */
const FOLDER = "/etc/freehold";
const ROUTE = { roots: `${FOLDER}/roots.pem`, authority: `${FOLDER}/ca-certificate.pem` };

/** Containers reach each other and their machine without the proxy, which passes on to public hosts only. */
const PRIVATE = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "198.18.0.0/15"];

interface InterceptionDeps {
  config: Config;
  clock: Clock;
  log: Logger;
  env: Record<string, string | undefined>;
  driver: DockerDriver;
  /** The address that the service listens on. */
  own: { host: string; port: number };
  /** The URL at which this machine reaches the service. */
  origin: string;
  firewall: MachineFirewall;
  /** The root that links of this service need; null without a local authority. */
  localRoot: (() => string) | null;
}

export interface ContainerInterception {
  intercept: Intercept;
  close(): Promise<void>;
}

export async function openContainerInterception(
  deps: InterceptionDeps,
): Promise<ContainerInterception> {
  const { config, clock, log, driver, own, firewall } = deps;
  const folder = path.join(config.dataFolder, "intercept");
  // Loads a library that only this needs.
  const { openAuthority } = await import("../../intercept/authority.ts");
  const authority = openAuthority(folder, certifiedNames, clock);
  const certificates = authority.certificate + (deps.localRoot?.() ?? "");
  const roots = readFileSync(writeRootBundle(folder, certificates, deps.env), "utf8");
  const files = [
    { path: ROUTE.roots, content: roots },
    { path: ROUTE.authority, content: certificates },
  ];
  const servers = new Set<() => void>();
  const gateway = new ContainerGateway({
    clock,
    driver,
    log,
    firewall,
    publicUrl: null,
    request: own.port + 2,
    hostNetwork: {
      ...ownHostNetwork({ ...own, isTls: false }, () => {
        const { proxy, disconnect } = createProxyServers(proxyDeps(deps, authority));
        servers.add(disconnect);
        return proxy;
      }),
      everywhere: null,
    },
    keptPort: keptPort(config.dataFolder, "proxy"),
    keepPort: (port) => keepPort(config.dataFolder, port, "proxy"),
  });
  await inTime(() => gateway.open());
  const publicHosts = config.publicUrl === null ? [] : [new URL(config.publicUrl).hostname];
  return {
    async intercept(driverName, workload) {
      if (driverName !== driver.name) return workload;
      const proxy = await gateway.originFor(workload.account ?? "");
      const direct = [new URL(proxy).hostname, ...publicHosts, ...PRIVATE];
      const env = proxyEnvironment(workload.env, { proxy, ...ROUTE }, direct) as Workload["env"];
      return { ...blockHosted(workload), env, files: [...(workload.files ?? []), ...files] };
    },
    async close() {
      for (const disconnect of servers) disconnect();
      await gateway.close();
    },
  };
}

/** A program that ignores the proxy finds nothing at the API's fixed addresses. */
export function blockHosted(workload: Workload): Workload {
  return { ...workload, hosts: Object.fromEntries(apiHosts.map((host) => [host, "127.0.0.1"])) };
}

function proxyDeps(
  { config, log, env, origin }: InterceptionDeps,
  authority: Parameters<typeof createProxyServers>[0]["authority"],
) {
  // Other accounts' containers and the machine's own ports are out of a container's reach, so the proxy does not
  // lead there either.
  const rule = { anywhere: false, allow: config.webhookAllow.map((host) => host.toLowerCase()) };
  return {
    authority,
    origin,
    upstream: upstreamProxy(env),
    lookup: (host: string) => lookupFor(host.toLowerCase(), rule),
    onRefused: (host: string) => log.warn({ host }, "refused a container's request"),
  };
}
