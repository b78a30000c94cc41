// A client changes a Pod: its name, its lock and its deadlines in place, all else with a new container.

import type { Clock } from "../../base/clock.ts";
import type { Actor } from "../../domain/audit/entry.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { Fault } from "../../domain/fault.ts";
import { podMistakes } from "../../domain/pod/mistakes.ts";
import type { Pod, PodSpec } from "../../domain/pod/pod.ts";
import { pricesOf } from "../../domain/pod/prices.ts";
import type { Rhythm } from "../../domain/replica/rhythm.ts";
import { lockFreeDisk } from "../../store/place/places.ts";
import { findPod } from "../../store/pod/row.ts";
import { changePodInPlace, movePod, respecifyPod } from "../../store/pod/wanted.ts";
import { holdPrices } from "../../store/price-book/hold.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { whoAsks } from "../audit/act.ts";
import { ownPod } from "./move.ts";
import { refersToNothing } from "./refers.ts";
import { driverForPod, type PodRules } from "./rules.ts";

export interface PodChanges extends Partial<PodSpec> {
  name?: string;
  locked?: boolean;
  /** Null for none. */
  stopAfter?: number | null;
  terminateAfter?: number | null;
}

interface ChangeRules extends PodRules {
  catalog: Catalog;
  rhythm: Rhythm;
}

export async function changePodOf(
  deps: { store: Store; clock: Clock } & ChangeRules,
  accountId: string,
  id: string,
  changes: PodChanges,
): Promise<Pod> {
  const result = await deps.store.write(
    change,
    deps,
    { accountId, id, changes, by: whoAsks() },
    deps.clock.now(),
  );
  if (result instanceof Fault) throw result;
  return result;
}

interface Change {
  accountId: string;
  id: string;
  changes: PodChanges;
  by: Actor | undefined;
}

function* change(
  rules: ChangeRules,
  { accountId, id, changes, by }: Change,
  at: number,
): Verb<Pod | Fault> {
  const { name, locked, stopAfter, terminateAfter, ...settings } = changes;
  const pod = yield* ownPod(accountId, id);
  if (pod instanceof Fault) return pod;
  if (Object.keys(settings).length > 0) {
    const refusal = yield* reset(rules, pod, { settings, by }, at);
    if (refusal) return refusal;
  }
  yield* changePodInPlace({
    ...pod,
    name: name ?? pod.name,
    locked: locked ?? pod.locked,
    stopAfter: stopAfter === undefined ? pod.stopAfter : stopAfter,
    terminateAfter: terminateAfter === undefined ? pod.terminateAfter : terminateAfter,
  });
  return (yield* findPod(id))!;
}

function* reset(
  rules: ChangeRules,
  pod: Pod,
  { settings, by }: { settings: Partial<PodSpec>; by: Actor | undefined },
  at: number,
): Verb<Fault | null> {
  if (pod.locked) return new Fault("pod_locked", { id: pod.id, event: "reset" });
  const spec = { ...pod.spec, ...settings };
  const mistakes = podMistakes(rules.catalog, spec);
  if (spec.volumeInGb < pod.spec.volumeInGb) {
    const before = pod.spec.volumeInGb;
    mistakes.push(`"volumeInGb" is ${spec.volumeInGb}; a volume of ${before} GB can only grow.`);
  }
  if (mistakes.length > 0) return new Fault("invalid_body", { detail: mistakes.join(" ") });
  const driver = driverForPod(rules, spec);
  if (driver instanceof Fault) return driver;
  const refusal = yield* refersToNothing(pod.accountId, spec);
  if (refusal) return refusal;
  const noRoom = yield* cannotGrow(pod, spec, at - rules.rhythm.goneMs);
  if (noRoom) return noRoom;
  yield* holdPrices(rules.catalog);
  yield* respecifyPod(pod.id, spec, pricesOf(rules.catalog, spec, pod.cost));
  yield* movePod(pod, { event: "reset", cause: "reset", reason: null, by, at });
  return null;
}

/** A stopped Pod's container takes no disk; where its machine is away nobody knows better. */
function* cannotGrow(pod: Pod, spec: PodSpec, since: number): Verb<Fault | null> {
  const running = pod.state === "RUNNING";
  const needs = (asked: PodSpec) => asked.volumeInGb + (running ? asked.containerDiskInGb : 0);
  const more = needs(spec) - needs(pod.spec);
  if (pod.virtual || more <= 0) return null;
  const free = yield* lockFreeDisk({ machine: pod.machine, since, except: null });
  if (free === null || free >= more) return null;
  return new Fault("no_disk", { machine: pod.machine, free: Math.max(0, free), more });
}
