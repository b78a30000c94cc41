// `freehold up`: starts the whole service on a data folder and keeps it running until it is
// stopped.

import type { FastifyBaseLogger } from "fastify";
import pino from "pino";
import type { Clock } from "../../base/clock.ts";
import { reportHandlerErrors } from "../../base/guarded.ts";
import { hashSecret, randomIds } from "../../base/ids.ts";
import type { Logger } from "../../base/log.ts";
import { Refusal } from "../../base/refusal.ts";
import { openCertificate } from "../../certificates/open-certificate.ts";
import { overTls, problemOf } from "../../config/certificate/tls-config.ts";
import type { Config } from "../../config/config.ts";
import { reachedFromOutside } from "../../config/reach/entrances.ts";
import type { SshAddress } from "../../edge/management/deps.ts";
import { ensureFirstAccount, ensureKey } from "../../flows/account/first-account.ts";
import { LocalTrust } from "../../flows/local-trust.ts";
import type { NewMachine } from "../../flows/machine/add.ts";
import { syncConfiguredMachines } from "../../flows/machine/settle.ts";
import { OidcProvider } from "../../flows/sign-in/oidc-provider.ts";
import { isBehindProxy, noteProxy } from "../../installation/behind-proxy.ts";
import {
  type DataFolder,
  dropSecret,
  isOpenToOthers,
  keptSecret,
  leaveAddress,
  leaveEntrances,
  newSecretKey,
  takeDataFolder,
} from "../../installation/data-folder.ts";
import { keysFrom } from "../../installation/derived-keys.ts";
import { enterInstallation, refuseMissingStore } from "../../installation/enter-installation.ts";
import { MACHINE_FILE } from "../../installation/folder-identity.ts";
import { fullDiskRefusal } from "../../installation/full-disk.ts";
import { refuseHeldMachine } from "../../installation/machine-holder.ts";
import { openStore } from "../../installation/open-store.ts";
import { checkSecretKey } from "../../installation/secret-key.ts";
import type { Loop } from "../../loops/engine/loop.ts";
import { openPrices } from "../../loops/money/follow-prices.ts";
import { listAccounts } from "../../store/account/account.ts";
import { keyByHash } from "../../store/api-key/api-key.ts";
import type { Store } from "../../store/engine/store.ts";
import { clockFor } from "../clock/store-clock.ts";
import { type OpenVirtualTime, openVirtualTime } from "../clock/virtual-time.ts";
import type { Parts } from "../service-parts.ts";
import { StartSteps } from "../start-steps.ts";
import { openTroubles } from "../trouble/open-troubles.ts";
import { compose, type Service } from "./compose.ts";
import { ensureHello } from "./hello.ts";
import { listen, listenForPaths, listenForS3, listenForSsh } from "./listen.ts";
import { createLog } from "./log.ts";
import { stopService } from "./stop.ts";

const UNUSABLE_LIBRARY =
  "programs keep the machine's time: time.sleep of Python fails with this libfaketime; 0.9.11 and later work";

export interface Up {
  service: Service;
  /** Where this machine reaches the service, by plain http. */
  origin: string;
  /** The address that links on the first screen have. */
  shownOrigin: string;
  /** The proxy's listener for clients that cannot resolve the names of Pods. */
  proxyOrigin: string | null;
  /** The S3 interface; null if it is off. */
  s3Origin: string | null;
  /** The SSH server; null if it is off. */
  sshAddress: SshAddress | null;
  /** The key that local commands use. */
  cliKey: string;
  stop(): Promise<void>;
}

/**
 * Starts the service, on the caller's clock if one is passed. Throws Refusal, with one sentence, if
 * it cannot start.
 */
export async function up(
  config: Config,
  env: Record<string, string | undefined>,
  clock?: Clock,
): Promise<Up> {
  const problem = config.tls?.issuer === "operator" ? problemOf(config.tls) : null;
  if (problem) throw new Refusal(`FREEHOLD_TLS: ${problem}`);
  const folder = takeFolder(config.dataFolder);
  const log = openLog(config);
  const steps = new StartSteps(log);
  try {
    steps.enter("opens its store");
    return await start(config, env, { folder, log, steps }, clock);
  } catch (error) {
    folder.release();
    throw fullDiskRefusal(error, folder.path) ?? error;
  } finally {
    steps.end();
  }
}

/** Remembers a reverse proxy. A clock that only tests may move is not moved by others. */
function onProxy(
  localTrust: LocalTrust,
  { path }: DataFolder,
  virtualTime: OpenVirtualTime | null,
  log: Logger,
): void {
  localTrust.onForwarded(() => {
    noteProxy(path, log);
    virtualTime?.fix();
  });
  if (isBehindProxy(path)) virtualTime?.fix();
}

function takeFolder(path: string): DataFolder {
  try {
    return takeDataFolder(path);
  } catch (error) {
    throw fullDiskRefusal(error, path) ?? error;
  }
}

async function start(
  requested: Config,
  env: Record<string, string | undefined>,
  { folder, log, steps }: { folder: DataFolder; log: FastifyBaseLogger; steps: StartSteps },
  clock: Clock | undefined,
): Promise<Up> {
  refuseMissingStore(requested, folder.path);
  // On a caller's clock, nothing may depend on the machine's time.
  const opened = await openStore(requested, folder.path, { gathers: clock === undefined });
  const installation = await enterInstallation(opened, folder.path);
  const virtualTime = await openVirtualTime(opened, requested, env).catch(async (error) => {
    await opened.close();
    throw error;
  });
  const store = virtualTime?.store ?? opened;
  const config = await withoutUnaskedDrivers(
    requested.isLocal && isBehindProxy(folder.path) ? { ...requested, isLocal: false } : requested,
    store,
  );
  const secretKey = config.secretKey ?? keptSecret(folder.path, "secret.key", newSecretKey);
  await checkSecretKey(store, secretKey);
  if (virtualTime?.unusable) log.warn({ library: virtualTime.unusable }, UNUSABLE_LIBRARY);
  warnOfOtherUsers(folder.path, log);
  const machine = await ownMachine(store, config, steps);
  steps.enter("reads its settings, its prices and its certificate");
  const time = await clockFor(store, virtualTime?.clock ?? clock);
  const { catalog, following } = await openPrices(store, config.catalog);
  const { vault } = keysFrom(secretKey);
  const { loops, ...served } = await openCertificate(config, { store, vault, log });
  const keeping = [...time.keeping, following, ...(await openTemplates(config, log)), ...loops];
  const localTrust = new LocalTrust({ store, isLocal: config.isLocal });
  await localTrust.holds();
  onProxy(localTrust, folder, virtualTime, log);
  const parts = {
    config,
    store,
    localTrust,
    virtualTime,
    troubles: await openTroubles({ config, store, log, localTrust, ...time }),
    ...time,
    keeping,
    ...served,
    catalog,
    provider: config.oidc && new OidcProvider(config.oidc, time.clock),
    ids: randomIds,
    log,
    steps,
    secretKey,
    env,
    installation,
    machine,
    tracer: await openTracing(config, { store, log, machine, ...time }),
  };
  const cliKey = await openAccount(parts, folder.path);
  await syncConfiguredMachines({ ...parts, vault }, await configuredMachines(config));
  const service = await compose(parts);
  const { origin, paths, s3Origin, sshAddress } = await openSockets(service, parts, folder);
  await service.begin(origin);
  let stopping: Promise<void> | null = null;
  return {
    service,
    origin,
    shownOrigin: shownOriginOf(config, origin),
    proxyOrigin: paths?.origin ?? null,
    s3Origin,
    sshAddress,
    cliKey,
    stop() {
      stopping ??= stopService(service, paths?.server ?? null, config.protocol, time.clock)
        .finally(() => parts.tracer?.close())
        .finally(() => folder.release());
      return stopping;
    },
  };
}

async function ownMachine(store: Store, config: Config, steps: StartSteps): Promise<string> {
  steps.enter("makes sure that no other replica has its machine");
  const machine = keptSecret(config.dataFolder, MACHINE_FILE, () => randomIds.short(14));
  await refuseHeldMachine(config, store, machine);
  return machine;
}

function openLog({ logLevel, deprecations }: Config) {
  const log = createLog(logLevel, pino.destination({ dest: 2, sync: true }));
  reportHandlerErrors(log);
  for (const deprecation of deprecations) log.warn(deprecation);
  return log;
}

function warnOfOtherUsers(folder: string, log: Logger): void {
  if (!isOpenToOthers(folder)) return;
  log.warn({ folder }, `other users can read the data folder; run chmod 700 ${folder}`);
}

const shownOriginOf = ({ tls, publicUrl }: Config, origin: string): string =>
  (tls && publicUrl) || overTls(tls, origin);

/** The packages of OpenTelemetry are loaded only where tracing is on. */
async function openTracing(
  { tracing }: Config,
  deps: { store: Store; clock: Clock; log: Logger; machine: string },
) {
  if (tracing === null) return null;
  const { openTracer } = await import("../tracing/open-tracer.ts");
  const tracer = await openTracer(tracing, deps);
  deps.store.notifier.tracer = tracer;
  return tracer;
}

async function configuredMachines({ machines, clusters }: Config): Promise<NewMachine[]> {
  if (clusters.length === 0) return machines;
  const { configuredClusters } = await import("../remote/configured-clusters.ts");
  return [...machines, ...(await configuredClusters(clusters))];
}

async function openTemplates(config: Config, log: Logger): Promise<Loop[]> {
  if (config.templatesUrl === null) return [];
  const { followTemplates } = await import("./follow-templates.ts");
  return followTemplates({ ...config, log });
}

/**
 * Processes have the rights of this service: with several accounts or behind a reverse proxy they
 * must be enabled explicitly. Simulations must be behind a proxy only.
 */
async function withoutUnaskedDrivers(config: Config, store: Store): Promise<Config> {
  if (config.driversChosen) return config;
  if (config.isLocal && (await store.read(listAccounts)).length < 2) return config;
  const allowed = config.isLocal ? ["docker", "simulated"] : ["docker"];
  return { ...config, drivers: config.drivers.filter((name) => allowed.includes(name)) };
}

async function openSockets(service: Service, { config, steps }: Parts, folder: DataFolder) {
  steps.enter("opens its listeners");
  try {
    const origin = await listen(service, config);
    const paths = await listenForPaths(service, config);
    const s3Origin = await listenForS3(service, config);
    const sshAddress = await listenForSsh(service, config);
    const sockets = { origin, proxyOrigin: paths?.origin ?? null, s3Origin, sshAddress };
    leaveAddress(folder, origin);
    leaveEntrances(folder, reachedFromOutside(config, sockets));
    return { ...sockets, paths };
  } catch (error) {
    service.app.server.close();
    await service.store.close();
    throw error;
  }
}

async function openAccount(parts: Parts, folder: string): Promise<string> {
  const { config } = parts;
  const { account } = await ensureFirstAccount(parts);
  const cliKey = await commandLineKey(parts, account.id, folder);
  if (config.apiKey) await ensureKey(parts, account.id, "from the configuration", config.apiKey);
  if (config.drivers.includes("process")) await ensureHello(parts, account.id);
  return cliKey;
}

/** The key of local commands. A revoked one is replaced. */
async function commandLineKey(parts: Parts, accountId: string, folder: string): Promise<string> {
  for (;;) {
    const key = keptSecret(folder, "cli.key", () => parts.ids.secret("fh_"));
    const name = "this machine's command line";
    await ensureKey(parts, accountId, name, key, { isOfMachine: true });
    if (await parts.store.read(keyByHash, hashSecret(key))) return key;
    dropSecret(folder, "cli.key");
  }
}
