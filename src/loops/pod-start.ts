// Starts a Pod's container, and writes down what came of it. A start may take as long as an image
// takes to come; who is not wanted any more meanwhile is cut short.

import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../base/clock.ts";
import type { Vault } from "../base/vault.ts";
import { afterFailedStart } from "../domain/pod/after-end.ts";
import type { Pod } from "../domain/pod/pod.ts";
import { type PortRange, type PublicPorts, tcpPorts } from "../domain/pod/ports.ts";
import type { EndCause } from "../domain/worker/end-cause.ts";
import { type Driver, DriverAway, StartCut, StartRefused } from "../drivers/driver.ts";
import type { PodKeys } from "../flows/pod/own-key.ts";
import { dropPorts, takePorts } from "../store/pod/ports.ts";
import { lockPod } from "../store/pod/row.ts";
import { markNotStarted, markStarting, type StartTrouble } from "../store/pod/seen.ts";
import { movePod } from "../store/pod/wanted.ts";
import { listSshKeys } from "../store/ssh-key/ssh-key.ts";
import type { Verb } from "../store/statement.ts";
import type { Store } from "../store/store.ts";
import { type OwnMachine, workloadOfPod } from "./pod-workload.ts";
import { telling } from "./telling.ts";
import { unseal } from "./unseal.ts";

/** What may be mended while the Pod waits; anything else is as it was described. */
const passing: ReadonlySet<EndCause | null> = new Set<EndCause | null>([
  "image_not_found",
  "image_unauthorised",
  "registry_away",
  "secret_missing",
  "disk_full",
  "port_taken",
]);

export interface StartDeps {
  store: Store;
  clock: Clock;
  log: FastifyBaseLogger;
  machine: OwnMachine;
  vault: Vault;
  podKeys: PodKeys;
  /** Where an account's containers reach us. */
  originFor: (driver: string, accountId: string) => Promise<string>;
}

/** `again` is true where an earlier container of it is still there. */
export async function startPod(
  deps: StartDeps,
  driver: Driver,
  pod: Pod,
  again: boolean,
): Promise<void> {
  const { store, clock, log, machine } = deps;
  try {
    // What the last container wrote beside its volumes does not outlive it.
    if (again) await driver.wipe(pod.id);
    const asked = driver.publishes ? tcpPorts(pod.spec.ports) : [];
    const opening = opened(deps, driver, pod);
    opening.catch(() => {}); // heard of below, where the start goes on
    const ports = await store.write(prepare, pod, asked, machine.ports, clock.now());
    if (ports === null) return;
    if (ports === "none free") throw noPortFree(machine.ports);
    const tell = telling({ store, clock }, pod.id);
    await driver.start(workloadOfPod(pod, machine, { ports, ...(await opening) }), tell);
  } catch (error) {
    // Neither says anything about the Pod.
    if (error instanceof DriverAway) throw error;
    if (error instanceof StartCut) return;
    log.warn({ err: error, pod: pod.id }, "a Pod could not be started");
    const sentence = error instanceof Error ? error.message : String(error);
    const cause = error instanceof StartRefused ? error.why : null;
    const never = error instanceof StartRefused && !passing.has(cause);
    await store.write(noteFailedStart, pod, { sentence, cause, never }, clock.now());
  }
}

/** What the Pod is told beside what its row says. */
async function opened(deps: StartDeps, driver: Driver, { id, accountId, spec }: Pod) {
  const [unsealed, keys, origin] = await Promise.all([
    unseal(deps, { accountId, ...spec }),
    deps.store.read(listSshKeys, accountId),
    deps.originFor(driver.name, accountId).catch(unlessNoWay),
  ]);
  return {
    ...unsealed,
    publicKeys: keys.map(({ publicKey }) => publicKey).join("\n"),
    ownKey: deps.podKeys.secretOf(id),
    origin,
  };
}

/** A Pod does without a way back to the service, unlike a worker. */
function unlessNoWay(error: unknown): null {
  if (error instanceof StartRefused && error.why === "no_way_back") return null;
  throw error;
}

/** What the container will have, noted before it is started; null where another one is wanted by now. */
function* prepare(
  seen: Pod,
  asked: readonly number[],
  range: PortRange,
  now: number,
): Verb<PublicPorts | "none free" | null> {
  const pod = yield* lockPod(seen.id);
  if (!pod || !(yield* markStarting(pod, seen.round, now))) return null;
  return (yield* takePorts(pod, asked, range)) ?? "none free";
}

function noPortFree({ first, last }: PortRange): StartRefused {
  const sentence = `all public ports of this machine are given out (${first} to ${last})`;
  return new StartRefused(sentence, "port_taken");
}

interface FailedStart extends StartTrouble {
  /** It can never be started as it is described. */
  never: boolean;
}

function* noteFailedStart(tried: Pod, failed: FailedStart, now: number): Verb<void> {
  const { sentence: why, cause, never } = failed;
  const pod = yield* lockPod(tried.id);
  if (pod?.round !== tried.round || pod.state !== "RUNNING") return;
  const after = never
    ? ({ do: "giveUp", reason: why } as const)
    : afterFailedStart(why, pod.failedStarts + 1, pod.failingSince ?? now, now);
  yield* markNotStarted(pod, failed, now, after.do === "again" ? after.at : 0);
  // Whoever else on this machine has one of them keeps it.
  if (cause === "port_taken") yield* dropPorts(pod.id);
  if (after.do !== "giveUp") return;
  yield* movePod(pod, { event: "giveUp", cause: "gave_up", reason: after.reason, at: now });
}
