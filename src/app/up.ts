// `freehold up`: starts the whole service on a data folder and keeps it running until told to stop.

import pino from "pino";
import type { Clock } from "../base/clock.ts";
import { hashSecret, randomIds } from "../base/ids.ts";
import { ensureFirstAccount, ensureKey } from "../flows/account/first-account.ts";
import { settleMachines } from "../flows/machine/settle.ts";
import { keyByHash } from "../store/account/account.ts";
import { listAccounts } from "../store/account/standing.ts";
import type { Store } from "../store/store.ts";
import { compose, type House } from "./compose.ts";
import type { Config } from "./config.ts";
import {
  type DataFolder,
  dropSecret,
  keptSecret,
  leaveAddress,
  newSecretKey,
  takeDataFolder,
} from "./data-folder.ts";
import { ensureHello } from "./hello.ts";
import { keysFrom } from "./keys.ts";
import { listen, listenForPaths } from "./listen.ts";
import { openStore } from "./open-store.ts";
import { openPrices } from "./prices.ts";
import { checkSecretKey } from "./secret-key.ts";
import { stopHouse } from "./stop.ts";
import { clockFor } from "./time.ts";

export interface Up {
  house: House;
  origin: string;
  /** Where the proxy listens for who cannot look up the names of Pods. */
  proxyOrigin: string | null;
  /** The key this machine's own commands use. */
  cliKey: string;
  /** The first account's key, only on the start that made it. */
  newKey: string | null;
  stop(): Promise<void>;
}

/**
 * Starts the service, on a clock of the caller's where there is one. Throws Refusal with one sentence
 * where it cannot.
 */
export async function up(
  config: Config,
  env: Record<string, string | undefined>,
  clock?: Clock,
): Promise<Up> {
  const folder = takeDataFolder(config.dataFolder);
  try {
    return await start(config, env, folder, clock);
  } catch (error) {
    folder.release();
    throw error;
  }
}

async function start(
  asked: Config,
  env: Record<string, string | undefined>,
  folder: DataFolder,
  clock: Clock | undefined,
): Promise<Up> {
  const store = await openStore(asked, folder.path);
  const config = await withoutUnaskedProcesses(asked, store);
  const secretKey = config.secretKey ?? keptSecret(folder.path, "secret.key", newSecretKey);
  await checkSecretKey(store, secretKey);
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
  const machine = keptSecret(folder.path, "machine.id", () => randomIds.short(14));
  const time = clock ? { clock, keeping: [] } : await clockFor(store);
  const { catalog, following } = await openPrices(store, config.catalog);
  const keeping = [...time.keeping, following];
  const parts = {
    config,
    store,
    ...time,
    keeping,
    catalog,
    ids: randomIds,
    log,
    secretKey,
    env,
    machine,
  };
  const { cliKey, newKey } = await openAccount(parts, folder.path);
  const { vault } = keysFrom(secretKey);
  await settleMachines({ ...parts, vault }, config.machines);
  const house = await compose(parts);
  const { origin, paths } = await openSockets(house, config);
  leaveAddress(folder, origin);
  await house.begin(origin);
  let stopping: Promise<void> | null = null;
  return {
    house,
    origin,
    proxyOrigin: paths?.origin ?? null,
    cliKey,
    newKey,
    stop() {
      stopping ??= stopHouse(house, paths?.server ?? null, config.protocol, time.clock).finally(
        () => folder.release(),
      );
      return stopping;
    },
  };
}

/** Processes have the rights of this service: where there are several accounts they must be asked for. */
async function withoutUnaskedProcesses(config: Config, store: Store): Promise<Config> {
  if (config.driversChosen || (await store.read(listAccounts)).length < 2) return config;
  return { ...config, drivers: config.drivers.filter((name) => name !== "process") };
}

async function openSockets(house: House, config: Config) {
  try {
    const origin = await listen(house, config);
    return { origin, paths: await listenForPaths(house, config) };
  } catch (error) {
    house.app.server.close();
    await house.store.close();
    throw error;
  }
}

async function openAccount(
  parts: Parameters<typeof compose>[0],
  folder: string,
): Promise<{ cliKey: string; newKey: string | null }> {
  const { config, ids } = parts;
  const { account, made } = await ensureFirstAccount(parts);
  const cliKey = await commandLineKey(parts, account.id, folder);
  if (config.apiKey) await ensureKey(parts, account.id, "from the configuration", config.apiKey);
  if (config.drivers.includes("process")) await ensureHello(parts, account.id);
  if (!made || config.apiKey) return { cliKey, newKey: null };
  const newKey = ids.secret("fh_");
  await ensureKey(parts, account.id, "first key", newKey);
  return { cliKey, newKey };
}

/** The key of this machine's own commands. One that somebody revoked gives way to a new one. */
async function commandLineKey(
  parts: Parameters<typeof compose>[0],
  accountId: string,
  folder: string,
): Promise<string> {
  for (;;) {
    const key = keptSecret(folder, "cli.key", () => parts.ids.secret("fh_"));
    await ensureKey(parts, accountId, "this machine's command line", key);
    if (await parts.store.read(keyByHash, hashSecret(key))) return key;
    dropSecret(folder, "cli.key");
  }
}
