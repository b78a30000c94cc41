// The configuration of the service. Every mistake in it is told at once, each with what would mend it.

import { isIPv4 } from "node:net";
import type { Catalog } from "../domain/catalog/catalog.ts";
import type { Declared, VirtualGpus } from "../domain/machine/inventory.ts";
import type { PortRange } from "../domain/pod/ports.ts";
import { documented, type Protocol } from "../domain/protocol.ts";
import type { Limits } from "../domain/rate/limits.ts";
import type { NewMachine } from "../flows/machine/add.ts";
import { readCatalog } from "./catalog/read.ts";
import { type HomeConfig, readHome } from "./home-config.ts";
import { readMachine, readVirtualGpus } from "./machine-config.ts";
import { readMachines } from "./machines-config.ts";
import { type ProxyListen, readPorts, readProxyDomain, readProxyListen } from "./proxy-config.ts";
import { readRateLimits } from "./rate-limit-config.ts";
import { ConfigMistakes } from "./refusal.ts";
import { type Flags, givenBy } from "./settings.ts";

export interface Config extends HomeConfig {
  /** The first account's key, if the operator chose one. */
  apiKey: string | null;
  publicUrl: string | null;
  /** Where public ports of Pods here are reached. */
  publicIp: string | null;
  /** The public ports that this machine has to give. */
  ports: PortRange;
  /** Where the proxy listens for who cannot look up the names of Pods; null for nowhere. */
  proxyListen: ProxyListen | null;
  /** Names below it are Pods', beside those below proxy.localhost. */
  proxyDomain: string | null;
  /** Where other replicas reach this one, where that is not the address it listens on. */
  replicaUrl: string | null;
  logLevel: string;
  /** Hosts that webhooks may reach although their addresses are private. */
  webhookAllow: string[];
  /** Which drivers may be used; processes have the rights of the service. */
  drivers: ("docker" | "process" | "fake")[];
  /** False where the choice was left to us: then containers are for where an engine answers. */
  driversChosen: boolean;
  /** Where the container engine is, as DOCKER_HOST has it. */
  dockerHost: string;
  /** The folder of the keys for an engine behind TLS. */
  dockerCertificates: string | null;
  protocol: Protocol;
  /** How often a key may ask for what. */
  rateLimits: Limits;
  /** Whether GraphQL's schema can be asked for. */
  introspection: boolean;
  /** What there is to rent, with what the operator changed. */
  catalog: Catalog;
  /** What the operator says of this machine. */
  machine: Declared;
  /** GPUs of this machine that exist only on paper; null: as many as is usual. */
  virtualGpus: VirtualGpus | null;
  /** Machines at addresses of their own. */
  machines: NewMachine[];
}

const USUAL_SOCKET = "unix:///var/run/docker.sock";
const LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

/** Reads the configuration. Throws ConfigMistakes. */
export function readConfig(
  flags: Flags,
  env: Record<string, string | undefined>,
  cwd: string,
): Config {
  const mistakes: string[] = [];
  const given = givenBy(flags, env, cwd, mistakes);
  const home = readHome(given, cwd, mistakes);
  const { host, port, loopback } = home;
  const catalog = readCatalog(given("catalog"), cwd, mistakes);
  const publicUrl = checkUrl("FREEHOLD_PUBLIC_URL", given("publicUrl"), mistakes);
  const config: Config = {
    ...home,
    apiKey: checkApiKey(given("apiKey"), mistakes),
    publicUrl,
    publicIp: readPublicIp(given("publicIp"), host, loopback, mistakes),
    ports: readPorts(given("ports"), mistakes),
    proxyListen: readProxyListen(given("proxyListen"), { host, port, loopback }, mistakes),
    proxyDomain: readProxyDomain(given("proxyDomain"), publicUrl, mistakes),
    replicaUrl: checkUrl("FREEHOLD_REPLICA_URL", given("replicaUrl"), mistakes),
    logLevel: oneOf("FREEHOLD_LOG_LEVEL", given("logLevel") ?? "warn", LEVELS, mistakes),
    webhookAllow: list(given("webhookAllow")),
    drivers: readDrivers(given("drivers"), loopback, mistakes),
    driversChosen: given("drivers") !== null,
    dockerHost: checkDockerHost(given("dockerHost") ?? (env.DOCKER_HOST || USUAL_SOCKET), mistakes),
    dockerCertificates: (env.DOCKER_TLS_VERIFY && env.DOCKER_CERT_PATH) || null,
    protocol: readProtocol(given("protocol"), mistakes),
    rateLimits: readRateLimits(given("rateLimits"), mistakes),
    introspection:
      oneOf("FREEHOLD_INTROSPECTION", given("introspection") ?? "on", ["on", "off"], mistakes) ===
      "on",
    catalog,
    machine: readMachine(given("machine"), catalog, mistakes),
    virtualGpus: readVirtualGpus(given("virtualGpus"), catalog, mistakes),
    machines: readMachines(given("machines"), catalog, cwd, mistakes),
  };
  if (mistakes.length > 0) throw new ConfigMistakes(mistakes);
  return config;
}

function checkApiKey(key: string | null, mistakes: string[]): string | null {
  if (key !== null && !/^[\x21-\x7e]{8,256}$/.test(key)) {
    mistakes.push("FREEHOLD_API_KEY takes 8 to 256 visible characters without blanks");
  }
  return key;
}

function checkUrl(name: string, url: string | null, mistakes: string[]): string | null {
  if (url === null) return null;
  if (!/^https?:\/\/[^/?#]+\/?$/.test(url)) {
    mistakes.push(`${name} is "${url}"; it takes an origin: https://cloud.example.org`);
  }
  return url.replace(/\/$/, "");
}

function readPublicIp(ip: string | null, host: string, loopback: boolean, mistakes: string[]) {
  if (ip === null) return loopback ? "127.0.0.1" : isIPv4(host) && host !== "0.0.0.0" ? host : null;
  if (!isIPv4(ip)) mistakes.push(`FREEHOLD_PUBLIC_IP is "${ip}"; it takes an IPv4 address`);
  return ip;
}

function checkDockerHost(host: string, mistakes: string[]): string {
  if (!/^unix:\/\/\/|^tcp:\/\/[^/]/.test(host)) {
    mistakes.push(
      `FREEHOLD_DOCKER_HOST is "${host}"; it takes unix:///path or tcp://host:port. Machines with an ` +
        "address of their own are added beside this one: freehold machine add ssh://user@host",
    );
  }
  return host;
}

function oneOf(name: string, value: string, allowed: string[], mistakes: string[]): string {
  if (!allowed.includes(value)) {
    mistakes.push(`${name} is "${value}"; it takes one of ${allowed.join(", ")}`);
  }
  return value;
}

function readDrivers(given: string | null, loopback: boolean, mistakes: string[]) {
  // Processes have the rights of the service, so beyond this machine they must be asked for.
  const names =
    given === null ? (loopback ? ["docker", "process", "fake"] : ["docker", "fake"]) : list(given);
  for (const name of names)
    oneOf("FREEHOLD_DRIVERS", name, ["docker", "process", "fake"], mistakes);
  return names as Config["drivers"];
}

function readProtocol(given: string | null, mistakes: string[]): Protocol {
  if (given === null) return documented;
  try {
    const changes = JSON.parse(given) as Record<string, unknown>;
    for (const [name, value] of Object.entries(changes)) {
      if (!(name in documented)) mistakes.push(`FREEHOLD_PROTOCOL has no constant "${name}"`);
      const numbers = Array.isArray(value) ? value : [value];
      if (numbers.some((each) => typeof each !== "number" || !(each >= 0))) {
        mistakes.push(`FREEHOLD_PROTOCOL: "${name}" takes milliseconds, 0 or more`);
      }
    }
    return { ...documented, ...(changes as Partial<Protocol>) };
  } catch {
    mistakes.push('FREEHOLD_PROTOCOL takes a JSON object such as {"leaseMs": 40000}');
    return documented;
  }
}

function list(text: string | null): string[] {
  return (text ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}
