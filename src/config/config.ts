// The configuration of the service. All errors in it are reported at once, each with its fix.

import { isIPv4 } from "node:net";
import { parseJson } from "../base/json/parse.ts";
import { ConfigErrors } from "../base/refusal.ts";
import type { Catalog } from "../domain/catalog/catalog.ts";
import type { PortLimits, PortRange } from "../domain/container/ports.ts";
import type { GpuLimits } from "../domain/gpu/checks.ts";
import type { Declared, GpuCounts } from "../domain/machine/inventory.ts";
import { documented, type Protocol } from "../domain/protocol.ts";
import type { OidcSettings } from "../domain/sign-in/oidc-settings.ts";
import type { OfficialTemplates } from "../domain/template/official.ts";
import type { ConnectionRules } from "../edge/http/connection/connection-guard.ts";
import type { MailSettings } from "../loops/notifications/mail-sender.ts";
import { readCatalog } from "./catalog/read.ts";
import { type AcmeConfig, readAcme } from "./certificate/acme-config.ts";
import { readTls, type TlsConfig } from "./certificate/tls-config.ts";
import { readClock, readClockSkew, UNLIMITED_MS } from "./clock-config.ts";
import { checkDockerHost, type DriverConfig, listOf, readDrivers } from "./driver-config.ts";
import { type HomeConfig, readHome } from "./home-config.ts";
import { type LimitsConfig, readLimits } from "./limits-config.ts";
import {
  gpuDeprecations,
  readCpuOvercommit,
  readGpuLimits,
  readKernelLog,
  readMachine,
  readSimulatedGpus,
} from "./machine/machine-config.ts";
import { type ConfiguredMachines, readMachines } from "./machine/machines-config.ts";
import { readMail } from "./mail-config.ts";
import { type ModelSourceSetting, readModels } from "./model-config.ts";
import { readConnectionRules } from "./network/connection-config.ts";
import { type Address, type ListenAddress, readListenAddress } from "./network/listen-address.ts";
import {
  readBalancerDomain,
  readPortLimits,
  readPorts,
  readProxyDomain,
} from "./network/proxy-config.ts";
import { readOidc } from "./oidc-config.ts";
import { type Flags, type Given, givenBy, settings } from "./settings.ts";
import { isTeam, withTeam } from "./team-config.ts";
import { readTemplateSource } from "./templates/read.ts";
import { readTracing, type TracingConfig } from "./tracing-config.ts";

export interface Config
  extends HomeConfig,
    ConfiguredMachines,
    DriverConfig,
    TlsConfig,
    AcmeConfig,
    LimitsConfig {
  /** The first account's key, if the operator chose one. */
  apiKey: string | null;
  publicUrl: string | null;
  /** Whether the preset for a team is on. */
  team: boolean;
  /** True if the service is on loopback and nothing says that others reach it through a proxy. */
  isLocal: boolean;
  /** The address at which public ports of Pods on this machine are reached. */
  publicIp: string | null;
  /** The public ports that this machine can assign. */
  ports: PortRange;
  portLimits: PortLimits;
  /** The proxy's listener for clients that cannot resolve the names of Pods; null if it is off. */
  proxyListen: ListenAddress | null;
  /** The listener of the S3 interface; null if it is off. */
  s3Listen: ListenAddress | null;
  /** The listener of the SSH server for Pods; null if it is off. */
  sshListen: ListenAddress | null;
  /** Where clients reach the S3 interface, if a reverse proxy is in front of it. */
  s3Url: string | null;
  /** How far the clock of an S3 client may differ. */
  s3ClockSkewMs: number;
  /** The domain whose subdomains are Pods, beside proxy.localhost. */
  proxyDomain: string | null;
  /** The domain whose subdomains are load-balancing endpoints, beside lb.localhost. */
  balancerDomain: string | null;
  /**
   * The address at which other replicas reach this one, if it differs from the listening address.
   */
  replicaUrl: string | null;
  /** What every listener holds its connections to. */
  connectionRules: ConnectionRules;
  logLevel: string;
  /** Whether `freehold up` prints a line per ended job on a terminal. */
  jobLines: boolean;
  /** "virtual" for tests that move the time. */
  clock: "system" | "virtual";
  /** Whether the service ends with its standard input, and removes its data folder then. */
  temporary: boolean;
  /** Whether tests may switch faults on; null to allow them where only this machine reaches the service. */
  faults: boolean | null;
  /** Hosts that webhooks may reach although their addresses are private. */
  webhookAllow: string[];
  /** The mail server for notifications; null if there is none. */
  mail: MailSettings | null;
  /** The organization's sign-in provider; null if there is none. */
  oidc: OidcSettings | null;
  /** The address of the container engine, as DOCKER_HOST has it. */
  dockerHost: string;
  /** The folder with the TLS keys of the engine. */
  dockerCertificates: string | null;
  protocol: Protocol;
  /** Whether GraphQL introspection is allowed. */
  introspection: boolean;
  /** Whether members may have passwords. */
  passwords: boolean;
  /** Whether hosted addresses lead to this service in containers. */
  interceptContainers: boolean;
  /** The path of the kernel log on machines with GPUs; null if it is not read. */
  kernelLog: string | null;
  gpuLimits: GpuLimits;
  /** Where models come from; null if this machine offers none. */
  modelSource: ModelSourceSetting | null;
  modelCacheBytes: number;
  /** The image of the Pods that test a Kubernetes cluster; it has `sh` and `nc`. */
  probeImage: string;
  /** The catalog with the operator's changes. */
  catalog: Catalog;
  /** The gallery with the operator's templates. */
  officialTemplates: OfficialTemplates;
  /** The URL of the operator's templates; null if they are in a folder, or if there are none. */
  templatesUrl: string | null;
  /** How many times this machine's vCPUs may be given to workloads. */
  cpuOvercommit: number;
  /** What the operator declares about this machine. */
  machine: Declared;
  /** The number of simulated GPUs of this machine; null for the default. */
  simulatedGpus: GpuCounts | null;
  /** Where spans go; null if tracing is off. */
  tracing: TracingConfig | null;
}

const USUAL_SOCKET = "unix:///var/run/docker.sock";
const LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

/** Reads the configuration. Throws ConfigErrors. */
export function readConfig(
  flags: Flags,
  env: Record<string, string | undefined>,
  cwd: string,
): Config {
  const errors: string[] = [];
  const setting = withTeam(givenBy(flags, env, cwd, errors), cwd, errors);
  const home = readHome(setting, cwd, errors);
  const { host, port, loopback } = home;
  const catalog = readCatalog(setting("catalog"), cwd, errors);
  const portLimits = readPortLimits(setting, errors);
  const publicUrl = checkUrl("FREEHOLD_PUBLIC_URL", setting("publicUrl"), errors);
  const proxyDomain = readProxyDomain(setting("proxyDomain"), publicUrl, errors);
  const balancerDomain = readBalancerDomain(setting("balancerDomain"), proxyDomain, errors);
  const isLocal = loopback && publicUrl === null && proxyDomain === null && balancerDomain === null;
  const clock = readClock(setting, { ...home, isLocal }, errors);
  const drivers = readDrivers(setting("drivers"), { isLocal, clock }, errors);
  const config: Config = {
    ...home,
    isLocal,
    clock,
    apiKey: checkApiKey(setting("apiKey"), errors),
    publicUrl,
    team: isTeam(setting, []),
    publicIp: readPublicIp(setting("publicIp"), host, loopback, errors),
    ports: readPorts(setting("ports"), errors),
    portLimits,
    ...readLimits(setting, errors),
    ...readListenAddresses(setting, { host, port, loopback }, errors),
    ...readTls({ tls: setting("tls"), hsts: setting("hsts") }, publicUrl, { cwd, ...home }, errors),
    ...readAcme(setting, { host, publicUrl, proxyDomain, balancerDomain }, errors),
    s3Url: checkUrl("FREEHOLD_S3_URL", setting("s3Url"), errors),
    // S3 clients sign with their own time.
    s3ClockSkewMs:
      clock === "virtual" ? UNLIMITED_MS : readClockSkew(setting("s3ClockSkew"), errors),
    proxyDomain,
    balancerDomain,
    replicaUrl: checkUrl("FREEHOLD_REPLICA_URL", setting("replicaUrl"), errors),
    connectionRules: readConnectionRules(setting, errors),
    logLevel: oneOf("FREEHOLD_LOG_LEVEL", setting("logLevel") ?? "warn", LEVELS, errors),
    jobLines: isOn("FREEHOLD_JOB_LINES", setting("jobLines") ?? "on", errors),
    temporary: readTemporary(setting("temporary"), home, errors),
    faults: readFaults(setting("faults"), errors),
    webhookAllow: listOf(setting("webhookAllow")),
    mail: readMail(setting, errors),
    passwords: isOn("FREEHOLD_PASSWORDS", setting("passwords") ?? "on", errors),
    oidc: readOidc(setting, { cwd, loopback, publicUrl }, errors),
    ...drivers,
    deprecations: [...drivers.deprecations, ...gpuDeprecations(setting)],
    dockerHost: checkDockerHost(setting("dockerHost") ?? (env.DOCKER_HOST || USUAL_SOCKET), errors),
    dockerCertificates: (env.DOCKER_TLS_VERIFY && env.DOCKER_CERT_PATH) || null,
    protocol: readProtocol(setting("protocol"), errors),
    introspection: isOn("FREEHOLD_INTROSPECTION", setting("introspection") ?? "on", errors),
    interceptContainers: isOn(
      "FREEHOLD_INTERCEPT_CONTAINERS",
      setting("interceptContainers") ?? "off",
      errors,
    ),
    kernelLog: readKernelLog(setting("kernelLog"), errors),
    gpuLimits: readGpuLimits(setting("gpuChecks"), errors),
    ...readModels(setting, cwd, errors),
    probeImage: setting("probeImage") ?? "busybox:1.37",
    catalog,
    ...readTemplateSource(setting("templates"), { cwd, portLimits }, errors),
    machine: readMachine(setting("machine"), catalog, errors),
    cpuOvercommit: readCpuOvercommit(setting("cpuOvercommit"), loopback, errors),
    simulatedGpus: readSimulatedGpus(setting, catalog, errors),
    ...readMachines(setting("machines"), catalog, cwd, errors),
    tracing: readTracing(env, errors),
  };
  if (errors.length > 0) throw new ConfigErrors(errors);
  return config;
}

/** Beside the service, in the order of their default ports. */
function readListenAddresses(
  setting: Given,
  own: Address & { loopback: boolean },
  errors: string[],
): Pick<Config, "proxyListen" | "s3Listen" | "sshListen"> {
  const read = (name: "proxyListen" | "s3Listen" | "sshListen", offset: number, isUsual = true) => {
    const { variable } = settings[name];
    return readListenAddress({ variable, offset, isUsual }, setting(name), own, errors);
  };
  return {
    proxyListen: read("proxyListen", 1),
    s3Listen: read("s3Listen", 2),
    sshListen: read("sshListen", 3, own.loopback),
  };
}

function isOn(variable: string, value: string, errors: string[]): boolean {
  return oneOf(variable, value, ["on", "off"], errors) === "on";
}

function readTemporary(
  value: string | null,
  { databaseUrl }: Pick<HomeConfig, "databaseUrl">,
  errors: string[],
): boolean {
  const isTemporary = isOn("FREEHOLD_TEMPORARY", value ?? "off", errors);
  if (isTemporary && databaseUrl !== null) {
    errors.push(
      "FREEHOLD_TEMPORARY is on, but a database is not removed with the data folder; remove FREEHOLD_DATABASE_URL",
    );
  }
  return isTemporary;
}

function readFaults(value: string | null, errors: string[]): boolean | null {
  return value === null ? null : isOn("FREEHOLD_FAULTS", value, errors);
}

function checkApiKey(key: string | null, errors: string[]): string | null {
  if (key !== null && !/^[\x21-\x7e]{8,256}$/.test(key)) {
    errors.push("FREEHOLD_API_KEY takes 8 to 256 visible characters without spaces");
  }
  return key;
}

function checkUrl(name: string, url: string | null, errors: string[]): string | null {
  if (url === null) return null;
  if (!/^https?:\/\/[^/?#]+\/?$/.test(url)) {
    errors.push(`${name} is "${url}"; it takes an origin: https://cloud.example.org`);
  }
  return url.replace(/\/$/, "");
}

function readPublicIp(ip: string | null, host: string, loopback: boolean, errors: string[]) {
  if (ip === null) return loopback ? "127.0.0.1" : isIPv4(host) && host !== "0.0.0.0" ? host : null;
  if (!isIPv4(ip)) errors.push(`FREEHOLD_PUBLIC_IP is "${ip}"; it takes an IPv4 address`);
  return ip;
}

function oneOf(name: string, value: string, allowed: string[], errors: string[]): string {
  if (!allowed.includes(value)) {
    errors.push(`${name} is "${value}"; it takes one of ${allowed.join(", ")}`);
  }
  return value;
}

function readProtocol(setting: string | null, errors: string[]): Protocol {
  if (setting === null) return documented;
  try {
    const changes = parseJson(setting) as Record<string, unknown>;
    for (const [name, value] of Object.entries(changes)) {
      if (!(name in documented)) errors.push(`FREEHOLD_PROTOCOL has no constant "${name}"`);
      const numbers = Array.isArray(value) ? value : [value];
      if (numbers.some((each) => typeof each !== "number" || !(each >= 0))) {
        errors.push(`FREEHOLD_PROTOCOL: "${name}" takes milliseconds, 0 or more`);
      }
    }
    return { ...documented, ...(changes as Partial<Protocol>) };
  } catch {
    errors.push('FREEHOLD_PROTOCOL takes a JSON object such as {"leaseMs": 40000}');
    return documented;
  }
}
