// All settings and their sources: flags override variables, and variables override the file.

import { readFileSync } from "node:fs";
import path from "node:path";
import { parseJson } from "../base/json/parse.ts";

interface Setting {
  variable: string;
  flag: string;
  about: string;
}

/** Every setting. The names in the file are these keys. */
export const settings = {
  listen: setting("FREEHOLD_LISTEN", "listen", "address and port (default 127.0.0.1:8700)"),
  data: setting("FREEHOLD_DATA", "data", "the data folder (default ./.freehold)"),
  team: setting("FREEHOLD_TEAM", "team", "others on the network reach all of it"),
  apiKey: setting("FREEHOLD_API_KEY", "api-key", "the first account's key"),
  publicUrl: setting("FREEHOLD_PUBLIC_URL", "public-url", "where others reach the service"),
  tls: setting("FREEHOLD_TLS", "tls", "TLS for all listeners: auto, local, or cert.pem,key.pem"),
  acmeDirectory: setting(
    "FREEHOLD_ACME_DIRECTORY",
    "acme-directory",
    "the ACME server that --tls auto asks",
  ),
  acmeTerms: setting(
    "FREEHOLD_ACME_TERMS",
    "acme-terms",
    "accepted: you agree to the ACME server's terms",
  ),
  acmeEmail: setting("FREEHOLD_ACME_EMAIL", "acme-email", "the e-mail address of the ACME account"),
  acmeProfile: setting(
    "FREEHOLD_ACME_PROFILE",
    "acme-profile",
    "a profile of the ACME server, such as shortlived",
  ),
  acmeListen: setting(
    "FREEHOLD_ACME_LISTEN",
    "acme-listen",
    "where the ACME server's checks arrive (default port 80)",
  ),
  hsts: setting("FREEHOLD_HSTS", "hsts", "days that browsers use https only, or off"),
  publicIp: setting("FREEHOLD_PUBLIC_IP", "public-ip", "the address of Pods' public ports"),
  ports: setting("FREEHOLD_PORTS", "ports", "public ports to give to Pods (default 20000-29999)"),
  portsPerPod: setting(
    "FREEHOLD_PORTS_PER_POD",
    "ports-per-pod",
    "ports that a Pod or template may have (default 16)",
  ),
  portsPerAccount: setting(
    "FREEHOLD_PORTS_PER_ACCOUNT",
    "ports-per-account",
    "public ports that an account's Pods may have (default 1000)",
  ),
  storagePerAccount: setting(
    "FREEHOLD_STORAGE_PER_ACCOUNT",
    "storage-per-account",
    "GB that an account's jobs and logs may take, or off (default 50)",
  ),
  proxyListen: setting("FREEHOLD_PROXY_LISTEN", "proxy-listen", "the proxy's own address, or off"),
  balancerDomain: setting(
    "FREEHOLD_BALANCER_DOMAIN",
    "balancer-domain",
    "the domain whose subdomains are load-balancing endpoints",
  ),
  proxyDomain: setting(
    "FREEHOLD_PROXY_DOMAIN",
    "proxy-domain",
    "the domain whose subdomains are Pods",
  ),
  sshListen: setting("FREEHOLD_SSH_LISTEN", "ssh-listen", "the SSH server's own address, or off"),
  s3Listen: setting("FREEHOLD_S3_LISTEN", "s3-listen", "the S3 interface's own address, or off"),
  s3Url: setting("FREEHOLD_S3_URL", "s3-url", "the S3 interface's public address"),
  s3ClockSkew: setting(
    "FREEHOLD_S3_CLOCK_SKEW",
    "s3-clock-skew",
    "minutes that clocks of S3 clients may differ (default 15)",
  ),
  replicaUrl: setting("FREEHOLD_REPLICA_URL", "replica-url", "where other replicas reach this one"),
  connectionsPerAddress: setting(
    "FREEHOLD_CONNECTIONS_PER_ADDRESS",
    "connections-per-address",
    "connections of one address without a key, or off (default 1000)",
  ),
  trustedProxies: setting(
    "FREEHOLD_TRUSTED_PROXIES",
    "trusted-proxies",
    "reverse proxies, which may have more, comma-separated",
  ),
  bodyRate: setting(
    "FREEHOLD_BODY_RATE",
    "body-rate",
    "bytes a second of the slowest body (default 1024/20s)",
  ),
  secretKey: setting(
    "FREEHOLD_SECRET_KEY",
    "secret-key",
    "the key that seals secrets, 64 hexadecimal digits",
  ),
  databaseUrl: setting(
    "FREEHOLD_DATABASE_URL",
    "database-url",
    "postgres://...; SQLite without it",
  ),
  logLevel: setting("FREEHOLD_LOG_LEVEL", "log-level", "fatal, error, warn, info, debug or trace"),
  metricsLabels: setting(
    "FREEHOLD_METRICS_LABELS",
    "metrics-labels",
    "labels that /metrics has, such as team,cost-center",
  ),
  shareHalfLife: setting(
    "FREEHOLD_SHARE_HALF_LIFE",
    "share-half-life",
    "hours until used GPU-time counts half (default 168)",
  ),
  reservationLimits: setting(
    "FREEHOLD_RESERVATION_LIMITS",
    "reservation-limits",
    'limits of reservations, as a JSON object such as {"hours": 72}',
  ),
  jobLines: setting("FREEHOLD_JOB_LINES", "job-lines", "a line per ended job, on or off"),
  webhookAllow: setting(
    "FREEHOLD_WEBHOOK_ALLOW",
    "webhook-allow",
    "hosts that webhooks may call although they are private",
  ),
  oidc: setting("FREEHOLD_OIDC", "oidc", "the sign-in provider, as a JSON object"),
  oidcSecret: setting("FREEHOLD_OIDC_SECRET", "oidc-secret", "the client secret at the provider"),
  passwords: setting("FREEHOLD_PASSWORDS", "passwords", "members may have passwords, on or off"),
  smtpUrl: setting(
    "FREEHOLD_SMTP_URL",
    "smtp-url",
    "the mail server, such as smtp://user:password@host:587",
  ),
  mailFrom: setting(
    "FREEHOLD_MAIL_FROM",
    "mail-from",
    "the sender of e-mail, such as freehold@example.org",
  ),
  clock: setting("FREEHOLD_CLOCK", "clock", "system, or virtual: tests move the time"),
  temporary: setting(
    "FREEHOLD_TEMPORARY",
    "temporary",
    "on: end with standard input, and remove the data",
  ),
  faults: setting("FREEHOLD_FAULTS", "faults", "on or off: tests may switch faults on"),
  drivers: setting(
    "FREEHOLD_DRIVERS",
    "drivers",
    "docker, process, simulated, comma-separated, or none",
  ),
  dockerHost: setting(
    "FREEHOLD_DOCKER_HOST",
    "docker-host",
    "the container engine (default unix:///var/run/docker.sock)",
  ),
  protocol: setting("FREEHOLD_PROTOCOL", "protocol", "protocol constants, as a JSON object"),
  machine: setting("FREEHOLD_MACHINE", "machine", "what this machine offers, as a JSON object"),
  machines: setting("FREEHOLD_MACHINES", "machines", "machines beside it, as a JSON array"),
  gpus: setting(
    "FREEHOLD_GPUS",
    "gpus",
    "simulated GPUs of every type (default 8 where there are no others)",
  ),
  virtualGpus: setting("FREEHOLD_VIRTUAL_GPUS", "virtual-gpus", "the earlier name of --gpus"),
  cpuOvercommit: setting(
    "FREEHOLD_CPU_OVERCOMMIT",
    "cpu-overcommit",
    "how often each vCPU is given (default 8 on loopback, else 1)",
  ),
  rateLimits: setting("FREEHOLD_RATE_LIMITS", "rate-limits", "off, runpod, or a JSON object"),
  introspection: setting(
    "FREEHOLD_INTROSPECTION",
    "introspection",
    "GraphQL introspection, on or off",
  ),
  interceptContainers: setting(
    "FREEHOLD_INTERCEPT_CONTAINERS",
    "intercept-containers",
    "lead containers' hosted addresses here, on or off",
  ),
  kernelLog: setting(
    "FREEHOLD_KERNEL_LOG",
    "kernel-log",
    "the kernel log of machines with GPUs, /dev/kmsg, or off",
  ),
  gpuChecks: setting("FREEHOLD_GPU_CHECKS", "gpu-checks", "thresholds of GPU checks, as JSON"),
  modelSource: setting(
    "FREEHOLD_MODEL_SOURCE",
    "model-source",
    "a hub's address or a folder of models, https://huggingface.co, or off",
  ),
  modelCache: setting(
    "FREEHOLD_MODEL_CACHE",
    "model-cache",
    "GB that models may take on this machine (default 200)",
  ),
  probeImage: setting("FREEHOLD_PROBE_IMAGE", "probe-image", "the image that tests clusters"),
  catalog: setting("FREEHOLD_CATALOG", "catalog", "a file that extends the catalog"),
  templates: setting("FREEHOLD_TEMPLATES", "templates", "a folder or a URL of official templates"),
} satisfies Record<string, Setting>;
export type SettingName = keyof typeof settings;

function setting(variable: string, flag: string, about: string): Setting {
  return { variable, flag, about };
}

export type Flags = Partial<Record<SettingName | "config", string>>;

/** The value of a setting as text; null if it is not set. */
export type Given = (name: SettingName) => string | null;

export function givenBy(
  flags: Flags,
  env: Record<string, string | undefined>,
  cwd: string,
  errors: string[],
): Given {
  const file = readFile(flags.config, cwd, errors);
  for (const name of Object.keys(file)) {
    if (name in settings) continue;
    const known = Object.keys(settings).join(", ");
    errors.push(`the configuration file has no setting "${name}"; there are ${known}`);
  }
  return (name) => {
    const value = flags[name] ?? env[settings[name].variable] ?? file[name];
    if (value === undefined || value === null || value === "") return null;
    return typeof value === "string" ? value : JSON.stringify(value);
  };
}

export const dataFolderOf = (setting: Given, cwd: string): string =>
  path.resolve(cwd, setting("data") ?? ".freehold");

function readFile(name: string | undefined, cwd: string, errors: string[]) {
  const file = path.resolve(cwd, name ?? "freehold.json");
  try {
    const value = parseJson(readFileSync(file, "utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
    errors.push(`${file} must hold a JSON object`);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (!missing || name !== undefined) {
      errors.push(`${file} cannot be read: ${(error as Error).message}`);
    }
  }
  return {};
}
