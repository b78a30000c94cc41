// A client changes a Pod. Its name, labels, lock and deadlines change in place; any other change needs a new container.

import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../base/clock.ts";
import type { Actor } from "../../domain/audit/entry.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { tooManyPorts } from "../../domain/container/ports.ts";
import { Fault } from "../../domain/fault.ts";
import type { Labels } from "../../domain/label/labels.ts";
import { changedSpec, isSameSpec } from "../../domain/pod/change.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import type { PodRequest, PodTerms } from "../../domain/pod/pod-request.ts";
import { pricesOf } from "../../domain/pod/prices.ts";
import type { PodSpec } from "../../domain/pod/spec.ts";
import { validatePod } from "../../domain/pod/validate.ts";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { findPod } from "../../store/pod/row.ts";
import { lockPricesShared } from "../../store/price-book/lock.ts";
import { findTemplate } from "../../store/template/template.ts";
import { requireLabelBudgets, spend } from "../../transactions/money/spend.ts";
import { lockFreeDisk } from "../../transactions/place/places.ts";
import { changePodInPlace, respecifyPod } from "../../transactions/pod/change.ts";
import { requireIdleRule } from "../../transactions/pod/idle.ts";
import { movePod } from "../../transactions/pod/move.ts";
import { requirePublicPorts } from "../../transactions/pod/require-ports.ts";
import { currentActor } from "../audit/action.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { driverForPod, type PodRules } from "../workload/pod-rules.ts";
import { lockOwnPod } from "./move.ts";
import { missingReference } from "./references.ts";

export interface PodChanges extends Partial<PodTerms> {
  /** What the spec is to be; a setting that is left out stays. */
  request?: PodRequest;
}

interface ChangeRules extends PodRules {
  catalog: Catalog;
  heartbeatTiming: HeartbeatTiming;
}

export function changePodOf(
  deps: { store: Store; clock: Clock } & ChangeRules,
  accountId: string,
  id: string,
  changes: PodChanges,
): Promise<Pod> {
  const by = currentActor();
  return throwRefusal(
    deps.store.write(change, deps, { accountId, id, changes, by }, deps.clock.now()),
  );
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
): Tx<Pod | Fault> {
  const { request, ...inPlace } = changes;
  const pod = yield* lockOwnPod(accountId, id);
  if (pod instanceof Fault) return pod;
  const { labels = pod.labels } = inPlace;
  const spentLabel = yield* requireLabelBudgets(pod, labels, at);
  if (spentLabel) return spentLabel;
  // A body that repeats the rule changes nothing.
  const isSameRule = isDeepStrictEqual(inPlace.stopWhenIdle, pod.desired.stopWhenIdle);
  const laxRule = isSameRule ? null : yield* requireIdleRule(pod.ownerId, inPlace.stopWhenIdle);
  if (laxRule) return laxRule;
  const spec = request ? yield* requestedSpec(rules, pod, request) : pod.desired.spec;
  if (spec instanceof Fault) return spec;
  if (!isSameSpec(spec, pod.desired.spec)) {
    const refusal = yield* reset(rules, pod, { spec, labels, by }, at);
    if (refusal) return refusal;
  }
  yield* changePodInPlace(pod, inPlace, at);
  return (yield* findPod(id))!;
}

/** The template is read only if the request names it, as the body that created the Pod does. */
export function* requestedSpec(
  { catalog, officialTemplates }: Pick<ChangeRules, "catalog" | "officialTemplates">,
  { desired: { spec } }: Pod,
  request: PodRequest,
): Tx<PodSpec | Fault> {
  const isNamed = request.templateId != null && request.templateId === spec.templateId;
  const template = isNamed
    ? (officialTemplates.find(spec.templateId) ?? (yield* findTemplate(spec.templateId!)))
    : undefined;
  const changed = changedSpec(catalog, spec, request, template?.spec);
  const errors = [...changed.errors, ...validatePod(catalog, changed.spec, spec)];
  if (errors.length > 0) return new Fault("invalid_body", { detail: errors.join(" ") });
  return changed.spec;
}

interface Reset {
  spec: PodSpec;
  /** The labels that the Pod has from now on. */
  labels: Labels;
  by: Actor | undefined;
}

function* reset(
  rules: ChangeRules,
  pod: Pod,
  { spec, labels, by }: Reset,
  at: number,
): Tx<Fault | null> {
  const { id, accountId, desired, pricing } = pod;
  if (desired.locked) return new Fault("pod_locked", { id, event: "reset" });
  const ports = spec.ports.join() === desired.spec.ports.join() ? [] : spec.ports;
  const errors = tooManyPorts(ports, rules.portLimits);
  if (errors.length > 0) return new Fault("invalid_body", { detail: errors.join(" ") });
  // It stays with the driver that it was placed with.
  const driver = driverForPod(rules, spec, pod.placement.driver);
  if (driver instanceof Fault) return driver;
  yield* lockPricesShared(rules.catalog);
  const refusal =
    (yield* missingReference(pod, spec)) ??
    (yield* cannotGrow(pod, spec, at - rules.heartbeatTiming.goneMs)) ??
    (yield* requirePublicPorts(rules.portLimits, { accountId, id, spec }));
  if (refusal) return refusal;
  const prices = pricesOf(rules.catalog, spec, pricing.cost);
  const kind = desired.state === "RUNNING" ? "runningRate" : "stoppedRate";
  const increase = prices[kind] - pricing[kind];
  const volumeGb = spec.volumeInGb - desired.spec.volumeInGb;
  const adds = { volumeGb, rate: increase };
  const unpaid =
    increase > 0 || volumeGb > 0
      ? yield* spend({ ...pod, labels }, { rate: increase, adds }, at)
      : null;
  if (unpaid) return unpaid;
  yield* respecifyPod(id, spec, prices);
  yield* movePod(pod, { event: "reset", cause: "reset", reason: null, by, at });
  return null;
}

/** The container disk counts only while the Pod runs. On an offline machine nothing is checked. */
function* cannotGrow(
  { desired, placement: { machine, virtual } }: Pod,
  spec: PodSpec,
  since: number,
): Tx<Fault | null> {
  const isRunning = desired.state === "RUNNING";
  const diskGb = (of: PodSpec) => of.volumeInGb + (isRunning ? of.containerDiskInGb : 0);
  const more = diskGb(spec) - diskGb(desired.spec);
  if (virtual || more <= 0) return null;
  const free = yield* lockFreeDisk({ machine, since, except: null });
  if (free === null || free >= more) return null;
  return new Fault("no_disk", { machine, free: Math.max(0, free), more });
}
