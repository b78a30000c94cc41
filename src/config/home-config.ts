// The part of the configuration that every command needs: the address of the service and its data
// folder. Errors elsewhere in the configuration do not stop such a command.

import { ConfigErrors } from "../base/refusal.ts";
import { type Address, readAddress } from "./network/listen-address.ts";
import { dataFolderOf, type Flags, type Given, givenBy } from "./settings.ts";
import { withTeam } from "./team-config.ts";

export interface HomeConfig extends Address {
  /** True while only this machine can reach the service. */
  loopback: boolean;
  dataFolder: string;
  /** The URL of a PostgreSQL database, password included; null for SQLite in the data folder. */
  databaseUrl: string | null;
  /** 64 hexadecimal digits; null for the key in the data folder. */
  secretKey: string | null;
}

const USUAL: Address = { host: "127.0.0.1", port: 8700 };

/** Throws ConfigErrors. */
export function readHomeConfig(
  flags: Flags,
  env: Record<string, string | undefined>,
  cwd: string,
): HomeConfig {
  const errors: string[] = [];
  // What the preset for a team lacks does not stop a command.
  const setting = withTeam(givenBy(flags, env, cwd, errors), cwd, []);
  const home = readHome(setting, cwd, errors);
  if (errors.length > 0) throw new ConfigErrors(errors);
  return home;
}

/** Appends to `errors`. */
export function readHome(setting: Given, cwd: string, errors: string[]): HomeConfig {
  const listen = setting("listen");
  const { host, port } = listen ? readAddress("FREEHOLD_LISTEN", listen, USUAL, errors) : USUAL;
  return {
    host,
    port,
    loopback: ["127.0.0.1", "localhost", "::1"].includes(host) || host.startsWith("127."),
    dataFolder: dataFolderOf(setting, cwd),
    databaseUrl: checkDatabaseUrl(setting("databaseUrl"), errors),
    secretKey: checkSecretKey(setting("secretKey"), errors),
  };
}

/** The sentence does not repeat the value: it may contain a password. */
function checkDatabaseUrl(url: string | null, errors: string[]): string | null {
  if (url !== null && !(/^postgres(?:ql)?:/.test(url) && URL.canParse(url))) {
    errors.push("FREEHOLD_DATABASE_URL takes postgres://user:password@host:5432/database");
  }
  return url;
}

function checkSecretKey(key: string | null, errors: string[]): string | null {
  if (key !== null && !/^[0-9a-f]{64}$/i.test(key)) {
    errors.push("FREEHOLD_SECRET_KEY takes 64 hexadecimal digits: openssl rand -hex 32");
  }
  return key;
}
