// The help of `freehold up`: every setting under the heading of its purpose, those that most services need first.

import type { SettingName } from "../../config/settings.ts";
import { settings } from "../../config/settings.ts";
import { addExamples, addNotes, defineCommand } from "../program/define-command.ts";

/** The options of each heading, with the placeholders of their values; null for a switch. */
const groups: Record<string, Partial<Record<SettingName, string | null>>> = {
  "Most used:": {
    listen: "address",
    data: "folder",
    team: null,
    publicUrl: "url",
    tls: "mode",
    databaseUrl: "url",
    drivers: "names",
    logLevel: "level",
  },
  "Listeners and addresses:": {
    proxyListen: "address",
    sshListen: "address",
    s3Listen: "address",
    s3Url: "url",
    proxyDomain: "domain",
    balancerDomain: "domain",
    publicIp: "ip",
    ports: "range",
    replicaUrl: "url",
    trustedProxies: "addresses",
  },
  "Certificates:": {
    acmeTerms: "text",
    acmeEmail: "address",
    acmeDirectory: "url",
    acmeProfile: "name",
    acmeListen: "address",
    hsts: "days",
  },
  "Machines and GPUs:": {
    machine: "json",
    machines: "json",
    dockerHost: "url",
    gpus: "number",
    cpuOvercommit: "number",
    gpuChecks: "json",
    kernelLog: "file",
    probeImage: "image",
  },
  "Catalog, templates and models:": {
    catalog: "file",
    templates: "source",
    modelSource: "source",
    modelCache: "gb",
  },
  "Keys, sign-in and e-mail:": {
    apiKey: "key",
    secretKey: "key",
    oidc: "json",
    oidcSecret: "secret",
    passwords: "on|off",
    smtpUrl: "url",
    mailFrom: "address",
  },
  "Limits:": {
    rateLimits: "limits",
    reservationLimits: "json",
    shareHalfLife: "hours",
    storagePerAccount: "gb",
    portsPerAccount: "number",
    portsPerPod: "number",
    connectionsPerAddress: "number",
    bodyRate: "rate",
    webhookAllow: "hosts",
    s3ClockSkew: "minutes",
  },
  "What it prints and shows:": {
    jobLines: "on|off",
    metricsLabels: "names",
    introspection: "on|off",
  },
  "For tests:": {
    temporary: "on|off",
    clock: "system|virtual",
    faults: "on|off",
    interceptContainers: "on|off",
    protocol: "json",
  },
};

export const { usage } = defineCommand("up", (program) => {
  addNotes(
    program,
    "Every option but --config is also an environment variable and a setting: --public-url is",
    'FREEHOLD_PUBLIC_URL, and "publicUrl" in freehold.json.',
  );
  for (const [heading, members] of Object.entries(groups)) {
    program.optionsGroup(heading);
    for (const [name, placeholder] of Object.entries(members)) {
      const { flag, about } = settings[name as SettingName];
      program.option(placeholder === null ? `--${flag}` : `--${flag} <${placeholder}>`, about);
    }
    if ("listen" in members)
      program.option("--config <file>", "the settings' file (default: ./freehold.json)");
  }
  addExamples(
    program,
    "freehold up",
    "freehold up --listen 127.0.0.1:9000 --data /var/lib/freehold",
    "freehold up --team --tls local",
  );
});
