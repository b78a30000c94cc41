// Which module may import which, as a table; imports.test.ts checks it.

/** What a module may import beside itself. `types` may be imported as types only. */
export interface Rights {
  rooms: readonly string[] | "all";
  types?: readonly string[];
  /** Files of those modules that it may not import. */
  not?: readonly string[];
  /** Other files and folders that it may import. */
  files?: readonly string[];
  /** True if import() may load anything else, and types of anything else may be imported. */
  loadsLater?: true;
}

export const rules: Record<string, Rights> = {
  base: { rooms: [] },
  contract: { rooms: [] },
  serve: { rooms: [] }, // published on its own
  domain: { rooms: ["base"], not: ["src/base/clock.ts", "src/base/ids.ts", "src/base/log.ts"] },
  store: { rooms: ["base", "domain"] },
  drivers: { rooms: ["base", "domain"] },
  transactions: { rooms: ["base", "domain", "store"] },
  flows: {
    rooms: ["base", "domain", "store", "transactions"],
    types: ["src/drivers/driver.ts", "src/drivers/volume-files.ts"],
  },
  loops: { rooms: ["base", "domain", "store", "transactions", "drivers", "flows"] },
  edge: { rooms: ["base", "contract", "domain", "flows"] },
  app: {
    rooms: "all",
    not: ["src/cli/", "src/cassette/"],
    // Simulated images answer from cassettes.
    files: ["src/cassette/replay/recorded-jobs.ts"],
  },
  config: {
    rooms: ["base", "contract", "domain"],
    // What is configured has its type where it is used, and a setting in the form of a request is checked like one.
    types: ["src/"],
    files: [
      "src/drivers/docker/engine-address.ts",
      "src/edge/balancer/address.ts",
      "src/edge/http/tls/root-route.ts",
      "src/edge/management/serve/validation-errors.ts",
      "src/edge/management/template/pod-rules.ts",
      "src/edge/proxy/proxy-target.ts",
      "src/edge/rest-v1/machine/desired-machine.ts",
      "src/flows/template/check.ts",
    ],
  },
  installation: {
    rooms: ["base", "config", "domain", "store"],
    types: ["src/drivers/shared-engine.ts", "src/flows/installation/read.ts"],
    files: ["src/flows/pod/own-key.ts"],
  },
  certificates: {
    rooms: ["base", "config", "domain", "installation", "store", "transactions"],
    types: ["src/edge/http/tls/tls-entrance.ts", "src/loops/engine/loop.ts"],
    files: [
      "src/edge/balancer/address.ts",
      "src/edge/http/tls/challenge-server.ts",
      "src/edge/proxy/proxy-target.ts",
      "src/loops/notifications/watch-certificate.ts",
    ],
  },
  cli: {
    rooms: ["base", "config", "contract", "domain", "installation", "cassette", "intercept"],
    files: ["src/edge/s3/wire/xml.ts", "src/edge/proxy/proxy-target.ts"],
    loadsLater: true,
  },
  intercept: {
    rooms: ["base"],
    files: [
      "src/edge/balancer/address.ts",
      "src/edge/proxy/headers.ts",
      "src/flows/local-trust.ts",
    ],
  },
  cassette: {
    rooms: ["base", "domain"],
    files: ["src/config/network/listen-address.ts", "src/edge/proxy/headers.ts"],
  },
  main: { rooms: ["base", "cli"] },
};
