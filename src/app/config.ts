// The configuration: flags beat variables beat the file. The only reader of process.env, and it
// reports every mistake at once, each with what would mend it.

import { readFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import path from "node:path";
import type { Catalog } from "../domain/catalog/catalog.ts";
import type { Declared, VirtualGpus } from "../domain/machine/inventory.ts";
import type { PortRange } from "../domain/pod/ports.ts";
import { documented, type Protocol } from "../domain/protocol.ts";
import type { Limits } from "../domain/rate/limits.ts";
import type { NewMachine } from "../flows/machine/add.ts";
import { readCatalog } from "./catalog/read.ts";
import { readMachine, readVirtualGpus } from "./machine-config.ts";
import { readMachines } from "./machines-config.ts";
import {
  type ProxyListen,
  readAddress,
  readPorts,
  readProxyDomain,
  readProxyListen,
} from "./proxy-config.ts";
import { readRateLimits } from "./rate-limit-config.ts";

export interface Config {
  host: string;
  port: number;
  dataFolder: string;
  /** Of a PostgreSQL database, password included; null for SQLite in the data folder. */
  databaseUrl: string | null;
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
  /** 64 hexadecimal digits; null means the one in the data folder. */
  secretKey: string | null;
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
  /** True while only this machine can reach the service. */
  loopback: boolean;
}

/** Everything that is wrong with a configuration, a sentence each. */
export class ConfigMistakes extends Error {
  override readonly name = "ConfigMistakes";
  readonly mistakes: string[];
  constructor(mistakes: string[]) {
    super(mistakes.join("\n"));
    this.mistakes = mistakes;
  }
}

interface Setting {
  variable: string;
  flag: string;
  about: string;
}

/** Every setting there is; the names in the file are these keys. */
export const settings = {
  listen: setting("FREEHOLD_LISTEN", "listen", "address and port, 127.0.0.1:8700"),
  data: setting("FREEHOLD_DATA", "data", "the data folder, ./.freehold"),
  apiKey: setting("FREEHOLD_API_KEY", "api-key", "the first account's key"),
  publicUrl: setting("FREEHOLD_PUBLIC_URL", "public-url", "where others reach the service"),
  publicIp: setting("FREEHOLD_PUBLIC_IP", "public-ip", "where Pods' public ports are reached"),
  ports: setting("FREEHOLD_PORTS", "ports", "public ports to give to Pods, 20000-29999"),
  proxyListen: setting("FREEHOLD_PROXY_LISTEN", "proxy-listen", "the proxy's own address, or off"),
  proxyDomain: setting("FREEHOLD_PROXY_DOMAIN", "proxy-domain", "names below it are Pods'"),
  replicaUrl: setting("FREEHOLD_REPLICA_URL", "replica-url", "where other replicas reach this one"),
  secretKey: setting("FREEHOLD_SECRET_KEY", "secret-key", "64 hexadecimal digits"),
  databaseUrl: setting(
    "FREEHOLD_DATABASE_URL",
    "database-url",
    "postgres://..., SQLite without it",
  ),
  logLevel: setting("FREEHOLD_LOG_LEVEL", "log-level", "fatal, error, warn, info, debug, trace"),
  webhookAllow: setting("FREEHOLD_WEBHOOK_ALLOW", "webhook-allow", "private hosts, by commas"),
  drivers: setting("FREEHOLD_DRIVERS", "drivers", "docker, process, fake; by commas"),
  dockerHost: setting(
    "FREEHOLD_DOCKER_HOST",
    "docker-host",
    "the engine, unix:///var/run/docker.sock",
  ),
  protocol: setting("FREEHOLD_PROTOCOL", "protocol", "protocol constants, as a JSON object"),
  machine: setting("FREEHOLD_MACHINE", "machine", "what this machine offers, as a JSON object"),
  machines: setting("FREEHOLD_MACHINES", "machines", "machines beside it, as a JSON array"),
  virtualGpus: setting("FREEHOLD_VIRTUAL_GPUS", "virtual-gpus", "GPUs on paper, of every type"),
  rateLimits: setting("FREEHOLD_RATE_LIMITS", "rate-limits", "off, runpod, or a JSON object"),
  introspection: setting("FREEHOLD_INTROSPECTION", "introspection", "on or off: GraphQL's schema"),
  catalog: setting("FREEHOLD_CATALOG", "catalog", "a file that extends the catalog"),
} satisfies Record<string, Setting>;
export type SettingName = keyof typeof settings;

function setting(variable: string, flag: string, about: string): Setting {
  return { variable, flag, about };
}

const USUAL_SOCKET = "unix:///var/run/docker.sock";
const LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

/** Reads the configuration. Throws ConfigMistakes. */
export function readConfig(
  flags: Partial<Record<SettingName | "config", string>>,
  env: Record<string, string | undefined>,
  cwd: string,
): Config {
  const mistakes: string[] = [];
  const file = readFile(flags.config, cwd, mistakes);
  const given = (name: SettingName): string | null => {
    const value = flags[name] ?? env[settings[name].variable] ?? file[name];
    if (value === undefined || value === null || value === "") return null;
    return typeof value === "string" ? value : JSON.stringify(value);
  };
  for (const name of Object.keys(file)) {
    if (name in settings) continue;
    const known = Object.keys(settings).join(", ");
    mistakes.push(`the configuration file has no setting "${name}"; there are ${known}`);
  }
  const listen = given("listen") ?? "127.0.0.1:8700";
  const usual = { host: "127.0.0.1", port: 8700 };
  const { host, port } = readAddress("FREEHOLD_LISTEN", listen, usual, mistakes);
  const loopback = ["127.0.0.1", "localhost", "::1"].includes(host) || host.startsWith("127.");
  const catalog = readCatalog(given("catalog"), cwd, mistakes);
  const publicUrl = checkUrl("FREEHOLD_PUBLIC_URL", given("publicUrl"), mistakes);
  const config: Config = {
    host,
    port,
    loopback,
    databaseUrl: checkDatabaseUrl(given("databaseUrl"), mistakes),
    dataFolder: path.resolve(cwd, given("data") ?? ".freehold"),
    apiKey: checkApiKey(given("apiKey"), mistakes),
    publicUrl,
    publicIp: readPublicIp(given("publicIp"), host, loopback, mistakes),
    ports: readPorts(given("ports"), mistakes),
    proxyListen: readProxyListen(given("proxyListen"), { host, port, loopback }, mistakes),
    proxyDomain: readProxyDomain(given("proxyDomain"), publicUrl, mistakes),
    replicaUrl: checkUrl("FREEHOLD_REPLICA_URL", given("replicaUrl"), mistakes),
    secretKey: checkSecretKey(given("secretKey"), mistakes),
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

function readFile(name: string | undefined, cwd: string, mistakes: string[]) {
  const file = path.resolve(cwd, name ?? "freehold.json");
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
    mistakes.push(`${file} must hold a JSON object`);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (!missing || name !== undefined) {
      mistakes.push(`${file} cannot be read: ${(error as Error).message}`);
    }
  }
  return {};
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

/** Its sentence does not repeat what it was given: there may be a password in it. */
function checkDatabaseUrl(url: string | null, mistakes: string[]): string | null {
  if (url !== null && !(/^postgres(?:ql)?:/.test(url) && URL.canParse(url))) {
    mistakes.push("FREEHOLD_DATABASE_URL takes postgres://user:password@host:5432/database");
  }
  return url;
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

function checkSecretKey(key: string | null, mistakes: string[]): string | null {
  if (key !== null && !/^[0-9a-f]{64}$/i.test(key)) {
    mistakes.push("FREEHOLD_SECRET_KEY takes 64 hexadecimal digits: openssl rand -hex 32");
  }
  return key;
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
