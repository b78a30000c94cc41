// Starts a Pod's container and records the result. A start lasts as long as the pull of its image; it is cut
// short if another container, or none, is desired meanwhile.

import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { Vault } from "../../base/vault.ts";
import type { EndCause } from "../../domain/container/end-cause.ts";
import { type PortRange, type PublicPorts, tcpPorts } from "../../domain/container/ports.ts";
import { afterFailedStart } from "../../domain/pod/after-end.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { distinctLines } from "../../domain/ssh-key/key-list.ts";
import { opensPod } from "../../domain/ssh-key/opens-pod.ts";
import {
  type Driver,
  DriverUnavailable,
  type Intercept,
  StartAborted,
  StartRefused,
  type Workload,
} from "../../drivers/driver.ts";
import { EngineFailed } from "../../drivers/engine-failed.ts";
import { type Redact, redactorOf } from "../../drivers/redaction.ts";
import type { PodKeys } from "../../flows/pod/own-key.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { lockPod } from "../../store/pod/row.ts";
import { listSshKeys } from "../../store/ssh-key/ssh-key.ts";
import { findVolumeOfPod } from "../../transactions/network-volume/of-pod.ts";
import { lackOfRoom } from "../../transactions/place/retake.ts";
import { movePod } from "../../transactions/pod/move.ts";
import { markNotStarted, markStarting, type StartFailure } from "../../transactions/pod/observe.ts";
import { dropPorts, takePorts } from "../../transactions/pod/ports.ts";
import { requireExecutable } from "../engine/require-executable.ts";
import { startLogger } from "../machines/start-log.ts";
import { unseal } from "../workers/unseal.ts";
import { type OwnMachine, workloadOfPod } from "./pod-workload.ts";

/** Causes that may be fixed while the Pod waits; a start with any other is not retried. */
const retryable: ReadonlySet<EndCause | null> = new Set<EndCause | null>([
  "image_not_found",
  "image_unauthorised",
  "registry_away",
  "secret_missing",
  "disk_full",
  "port_taken",
  "no_room",
  "no_address_range",
  "cluster_permission",
  "cluster_trouble",
]);

/** A sandbox that cannot start soon fails, so that its client does not wait for it in vain. */
const retryableForSandbox: typeof retryable = new Set<EndCause | null>([
  "registry_away",
  "no_room",
]);

const MAX_WORDS_CHARS = 400;

const retried = ({ desired }: Pod) => (desired.spec.sandbox ? retryableForSandbox : retryable);

export interface PodStartDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  machine: OwnMachine;
  vault: Vault;
  podKeys: PodKeys;
  /** The service's origin as an account's containers reach it. */
  originFor: (driver: string, accountId: string) => Promise<string>;
  /** Leads a workload's requests for hosted addresses to Freehold; absent if that is off. */
  intercept?: Intercept;
}

/** `replaces` is true if an earlier container of the Pod still exists. */
export async function startPod(
  deps: PodStartDeps,
  driver: Driver,
  pod: Pod,
  replaces: boolean,
): Promise<void> {
  const { store, clock, log, machine } = deps;
  let redact = redactorOf([]);
  try {
    // The last container's disk does not outlive it; only volumes do.
    if (replaces) await driver.wipe(pod.id);
    const requested = driver.publishesPorts ? tcpPorts(pod.desired.spec.ports) : [];
    const settings = containerSettings(deps, driver, pod);
    settings.catch(() => {}); // handled below, where it is awaited
    const prepared = await store.write(prepareStart, pod, requested, machine.ports, clock.now());
    if (prepared === null) return;
    if ("refused" in prepared) throw prepared.refused;
    const rest = await settings;
    redact = redactorOf(rest.secrets);
    const workloadWith = (ports: PublicPorts) => workloadOfPod(pod, machine, { ports, ...rest });
    await startWithFreePorts(deps, driver, { pod, ports: prepared.ports, workloadWith });
  } catch (error) {
    // Neither error is a failure of the Pod.
    if (error instanceof DriverUnavailable) throw error;
    if (error instanceof StartAborted) return;
    log.warn({ err: error, pod: pod.id }, "cannot start a Pod");
    const sentence = error instanceof StartRefused ? error.message : "the machine cannot start it";
    const cause = error instanceof StartRefused ? error.why : null;
    const isRefusal = error instanceof StartRefused && !(error instanceof EngineFailed);
    const isFinal = isRefusal && !retried(pod).has(cause);
    const engine = error instanceof StartRefused ? error.engine : excerpt(redact, error);
    await store.write(recordFailedStart, pod, { sentence, cause, engine, isFinal }, clock.now());
  }
}

const excerpt = (redact: Redact, error: unknown) =>
  redact((error as Error).message).slice(0, MAX_WORDS_CHARS);

interface PreparedPod {
  pod: Pod;
  /** The ports that were drawn for it. */
  ports: PublicPorts;
  workloadWith: (ports: PublicPorts) => Workload;
}

/** Draws other ports at once, again and again, if another program on the machine has one of them. */
async function startWithFreePorts(
  { store, clock, machine, intercept }: PodStartDeps,
  driver: Driver,
  { pod, ports: firstPorts, workloadWith }: PreparedPod,
): Promise<void> {
  const foreign = new Set<number>();
  for (let ports = firstPorts; ; ) {
    try {
      const requested = workloadWith(ports);
      // Code that is not trusted gets no address of the service, so nothing leads it there.
      const isTrusted = !pod.desired.spec.sandbox;
      const complete = (isTrusted && (await intercept?.(driver.name, requested))) || requested;
      requireExecutable(complete);
      return await driver.start(complete, startLogger({ store, clock }, pod.id));
    } catch (error) {
      if (!(error instanceof StartRefused) || error.why !== "port_taken") throw error;
      const drawn = Object.values(ports);
      const named = drawn.filter((port) => portsIn(error).includes(port));
      for (const port of named.length > 0 ? named : drawn) foreign.add(port);
      const redrawn = await store.write(redrawPorts, pod, ports, foreign, machine.ports);
      if (redrawn === null || drawn.length === 0) throw error;
      ports = redrawn;
    }
  }
}

/** The ports that an engine's message names. */
function portsIn({ engine, message }: StartRefused): number[] {
  return [...(engine ?? message).matchAll(/:(\d{1,5})\b/g)].map(([, port]) => Number(port));
}

/** Null if too few are free, or the start is no longer desired. */
function* redrawPorts(
  { id, desired: { generation } }: Pod,
  current: PublicPorts,
  foreign: ReadonlySet<number>,
  range: PortRange,
): Tx<PublicPorts | null> {
  const pod = yield* lockPod(id);
  if (pod?.desired.generation !== generation || pod.desired.state !== "RUNNING") return null;
  return yield* takePorts(pod, Object.keys(current).map(Number), range, foreign);
}

async function containerSettings(deps: PodStartDeps, driver: Driver, pod: Pod) {
  const { id, accountId, ownerId } = pod;
  const { spec } = pod.desired;
  const [unsealed, keys, volume, origin] = await Promise.all([
    unseal(deps, { accountId, ownerId, image: spec.imageName, ...spec }),
    deps.store.read(listSshKeys, accountId),
    deps.store.read(findVolumeOfPod, spec),
    deps.originFor(driver.name, accountId).catch(nullIfUnreachable),
  ]);
  return {
    ...unsealed,
    publicKeys: distinctLines(keys.filter((key) => opensPod(key, pod))).join("\n"),
    networkVolumeGb: volume?.size ?? null,
    ownKey: deps.podKeys.secretOf(id),
    origin,
  };
}

/** A Pod, unlike a worker, can run without a connection to the service. */
function nullIfUnreachable(error: unknown): null {
  if (error instanceof StartRefused && error.why === "no_way_back") return null;
  throw error;
}

type Prepared = { ports: PublicPorts } | { refused: StartRefused };

/** Records the start and takes its place and ports before the driver starts it; null if it is no longer desired. */
function* prepareStart(
  { id, desired: { generation } }: Pod,
  requested: readonly number[],
  range: PortRange,
  now: number,
): Tx<Prepared | null> {
  const pod = yield* lockPod(id);
  if (!pod) return null;
  const lack = yield* lackOfRoom(pod);
  if (lack) return { refused: new StartRefused(lack, "no_room") };
  if (!(yield* markStarting(pod, generation, now))) return null;
  const ports = yield* takePorts(pod, requested, range);
  return ports ? { ports } : { refused: noFreePort(range) };
}

function noFreePort({ first, last }: PortRange): StartRefused {
  const sentence = `all public ports of this machine are in use (${first} to ${last})`;
  return new StartRefused(sentence, "port_taken");
}

interface FailedStart extends StartFailure {
  /** True if a retry cannot succeed. */
  isFinal: boolean;
}

function* recordFailedStart(
  { id, desired: { generation } }: Pod,
  failed: FailedStart,
  now: number,
): Tx<void> {
  const { sentence, cause, isFinal } = failed;
  const pod = yield* lockPod(id);
  if (pod?.desired.generation !== generation || pod.desired.state !== "RUNNING") return;
  const { count, since } = pod.backoff.failedStarts ?? { count: 0, since: now };
  const after = isFinal
    ? ({ do: "giveUp", reason: sentence } as const)
    : afterFailedStart(sentence, count + 1, since, now);
  yield* markNotStarted(pod, failed, now, after.do === "again" ? after.at : 0);
  // Another process on the machine has one of its ports; the next start draws others.
  if (cause === "port_taken") yield* dropPorts(pod.id);
  if (after.do !== "giveUp") return;
  yield* movePod(pod, { event: "giveUp", cause: "gave_up", reason: after.reason, at: now });
}
