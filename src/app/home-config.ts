// Where the service is and where it keeps its data: all of the configuration that a command needs which
// is no service itself. A mistake elsewhere in it does not stop such a command.

import path from "node:path";
import { type Address, readAddress } from "./address.ts";
import { ConfigMistakes } from "./refusal.ts";
import { type Flags, type Given, givenBy } from "./settings.ts";

export interface HomeConfig extends Address {
  /** True while only this machine can reach the service. */
  loopback: boolean;
  dataFolder: string;
  /** Of a PostgreSQL database, password included; null for SQLite in the data folder. */
  databaseUrl: string | null;
  /** 64 hexadecimal digits; null means the one in the data folder. */
  secretKey: string | null;
}

const USUAL: Address = { host: "127.0.0.1", port: 8700 };

/** Throws ConfigMistakes. */
export function readHomeConfig(
  flags: Flags,
  env: Record<string, string | undefined>,
  cwd: string,
): HomeConfig {
  const mistakes: string[] = [];
  const home = readHome(givenBy(flags, env, cwd, mistakes), cwd, mistakes);
  if (mistakes.length > 0) throw new ConfigMistakes(mistakes);
  return home;
}

/** Adds to `mistakes` what is wrong. */
export function readHome(given: Given, cwd: string, mistakes: string[]): HomeConfig {
  const listen = given("listen");
  const { host, port } = listen ? readAddress("FREEHOLD_LISTEN", listen, USUAL, mistakes) : USUAL;
  return {
    host,
    port,
    loopback: ["127.0.0.1", "localhost", "::1"].includes(host) || host.startsWith("127."),
    dataFolder: path.resolve(cwd, given("data") ?? ".freehold"),
    databaseUrl: checkDatabaseUrl(given("databaseUrl"), mistakes),
    secretKey: checkSecretKey(given("secretKey"), mistakes),
  };
}

/** Its sentence does not repeat what it was given: there may be a password in it. */
function checkDatabaseUrl(url: string | null, mistakes: string[]): string | null {
  if (url !== null && !(/^postgres(?:ql)?:/.test(url) && URL.canParse(url))) {
    mistakes.push("FREEHOLD_DATABASE_URL takes postgres://user:password@host:5432/database");
  }
  return url;
}

function checkSecretKey(key: string | null, mistakes: string[]): string | null {
  if (key !== null && !/^[0-9a-f]{64}$/i.test(key)) {
    mistakes.push("FREEHOLD_SECRET_KEY takes 64 hexadecimal digits: openssl rand -hex 32");
  }
  return key;
}
