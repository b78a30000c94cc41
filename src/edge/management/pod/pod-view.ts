// A Pod as REST clients read it. Unknown fields are left out.

import { MB_PER_GB } from "../../../base/units.ts";
import { type Pod, pod as podSchema } from "../../../contract/rest-v1/pod/pod.ts";
import type { Catalog } from "../../../domain/catalog/catalog.ts";
import {
  type Pod as DomainPod,
  isUp,
  type PodCause,
  type PodDesired,
} from "../../../domain/pod/pod.ts";
import { defaultTerms, type PodTerms } from "../../../domain/pod/pod-request.ts";
import { paidAhead } from "../../../domain/pod/prices.ts";
import { defaultSpec, type PodSpec } from "../../../domain/pod/spec.ts";
import { type PodFailure, podFailure, podStatus } from "../../../domain/pod/status/pod-status.ts";
import { idleStopAt } from "../../../domain/usage/idle.ts";
import { idlePolicyOf, type OwnIdleRule } from "../../../domain/usage/idle-policy.ts";
import { lifetimeOf, lifetimeStopAt } from "../../../domain/usage/lifetime.ts";
import type { Capacity } from "../../../flows/catalog/capacity.ts";
import type { PodView } from "../../../flows/pod/read.ts";
import { dollars } from "../billing/dollars.ts";
import { savingsPlanRead } from "../billing/savings-plan-view.ts";
import { instant, present } from "../serve/instant.ts";
import { labelsRead } from "../serve/labels.ts";
import { networkVolumeRead } from "../storage/network-volume-view.ts";
import { templateRead } from "../template/template-view.ts";
import { exemptionOfPod } from "./exemption-view.ts";
import { freeGpus, gpuRead, machineRead, rentedPartOf } from "./machine-view.ts";

export interface PodIncluding {
  /** The capacity of the machines, to include the Pod's one. */
  capacity?: Capacity | null;
  includeNetworkVolume?: boolean;
  includeSavingsPlans?: boolean;
  includeTemplate?: boolean;
}

export function podRead(catalog: Catalog, view: PodView, including: PodIncluding = {}): Pod {
  const { pod, owner, machine, template, networkVolume, plans } = view;
  const { desired, placement, pricing, observed } = pod;
  const { spec, state, stopAfter, terminateAfter, stopWhenIdle } = desired;
  const { gpuTypeId, cpuFlavorId } = placement;
  const lostAt = machine?.lostAt ?? null;
  const isLost = lostAt !== null;
  const isReachable = isUp(pod) && !isLost;
  const gpu = gpuRead(catalog, placement, placement.gpus.length);
  const { capacity, includeNetworkVolume, includeSavingsPlans, includeTemplate } = including;
  const facts = { desired, observed, backoff: pod.backoff, isLost };
  const failure = podFailure(facts);
  return {
    ...settingsRead(spec),
    id: pod.id,
    name: pod.name,
    desiredStatus: state,
    status: podStatus(facts),
    ...(failure && { failure: failureRead(failure) }),
    image: spec.imageName,
    volumeEncrypted: false,
    consumerUserId: pod.accountId,
    machineId: placement.machine,
    ...(placement.driver === "simulated" && { simulated: true }),
    ...(gpuTypeId !== null && { gpuTypeId }),
    ...(gpu && { gpu }),
    gpuCount: gpuCountOf(pod),
    ...(cpuFlavorId !== null && { cpuFlavorId }),
    vcpuCount: placement.vcpus,
    memoryInGb: Math.floor(placement.memoryMb / MB_PER_GB),
    costPerHr: dollars(pricing.cost),
    adjustedCostPerHr: dollars(pricing.cost - paidAhead(pricing, placement.gpus.length)),
    locked: desired.locked,
    publicIp: isReachable ? observed.publicIp : null,
    portMappings: isReachable ? observed.portMappings : {},
    createdAt: instant(pod.createdAt),
    ...(owner && { createdBy: owner }),
    ...labelsRead(pod),
    ...(observed.startedAt !== null && { lastStartedAt: instant(observed.startedAt) }),
    lastStatusChange:
      isLost && state === "RUNNING" ? `Machine lost: ${instant(lostAt)}` : lastChange(desired),
    ...present({ stopAfter, terminateAfter }),
    ...ownIdleRuleRead(stopWhenIdle),
    ...idleRead(pod),
    ...plainTermsRead(desired),
    ...exemptionOfPod(pod.exemption),
    ...lifetimeRead(pod),
    ...(capacity && { machine: machineOf(catalog, view, capacity) }),
    ...(includeNetworkVolume &&
      networkVolume && { networkVolume: networkVolumeRead(networkVolume) }),
    ...(includeSavingsPlans && { savingsPlans: plans.map(savingsPlanRead) }),
    ...(includeTemplate && template && { template: templateRead(template) }),
  };
}

export function ownIdleRuleRead(rule: OwnIdleRule | null): Pick<Pod, "stopWhenIdle"> {
  if (rule === null) return {};
  return { stopWhenIdle: rule === "never" ? { never: true } : rule };
}

function idleRead(pod: DomainPod): Pick<Pod, "idlePolicy" | "idle"> {
  const policy = idlePolicyOf(pod);
  if (policy === null) return {};
  const { rule, from, project } = policy;
  const { idleSince } = pod;
  return {
    idlePolicy: { ...rule, from, ...(project !== null && { project }) },
    ...(idleSince !== null && {
      idle: { since: instant(idleSince), stopsAt: instant(idleStopAt(rule, idleSince)) },
    }),
  };
}

function lifetimeRead(pod: DomainPod): Pick<Pod, "lifetime"> {
  const lifetime = lifetimeOf(pod);
  if (lifetime === null) return {};
  const { minutes, extendable, from, project } = lifetime.policy;
  const since = pod.desired.runningSince;
  const stopsAt = lifetimeStopAt(pod);
  return {
    lifetime: {
      minutes,
      extendable,
      from,
      ...(project !== null && { project }),
      ...(since !== null && { since: instant(since) }),
      ...(stopsAt !== null && { stopsAt: instant(stopsAt) }),
    },
  };
}

function failureRead(failure: PodFailure): Pod["failure"] {
  if (failure.code !== "crashed") return failure;
  const { code, exitCode, signal } = failure;
  return { code, ...(exitCode !== null && { exitCode }), ...(signal !== null && { signal }) };
}

type ShownSetting = keyof PodSpec & keyof Pod;

/** The settings that the schema of a Pod names. */
const shownSettings = Object.keys(podSchema.properties).filter(
  (name): name is ShownSetting => name in defaultSpec,
);

/** A setting that is null is left out. */
export const settingsRead = (spec: PodSpec) => withoutNulls(spec, shownSettings);

/** Terms with a form or a place of their own. */
const ownTerms = [
  "name",
  "labels",
  "locked",
  "stopAfter",
  "terminateAfter",
  "stopWhenIdle",
] as const;
type PlainTerm = Exclude<keyof PodTerms, (typeof ownTerms)[number]>;

const plainTerms = Object.keys(defaultTerms).filter(
  (name): name is PlainTerm => !(ownTerms as readonly string[]).includes(name),
);

/** A term that is null is left out. */
export const plainTermsRead = (terms: Pick<PodTerms, PlainTerm>) => withoutNulls(terms, plainTerms);

function withoutNulls<Name extends keyof Pod>(
  values: Record<Name, unknown>,
  names: readonly Name[],
): Pick<Pod, Name> {
  const shown: Partial<Record<Name, unknown>> = {};
  for (const name of names) if (values[name] !== null) shown[name] = values[name];
  return shown as Pick<Pod, Name>;
}

/** A Pod that was started without its GPUs has none until it is started with them. */
function gpuCountOf({ desired: { spec, state }, placement: { gpus } }: DomainPod): number {
  if (spec.computeType === "CPU") return 0;
  return state === "RUNNING" ? gpus.length : spec.gpuCount;
}

function machineOf(catalog: Catalog, view: PodView, capacity: Capacity): Pod["machine"] {
  const part = rentedPartOf(view);
  return machineRead(catalog, part, view.machine, freeGpus(capacity, part));
}

const changes: Record<PodCause, string> = {
  created: "Rented by user",
  started: "Resumed by user",
  restarted: "Restarted by user",
  reset: "Reset by user",
  stopped: "Exited by user",
  stop_after: "Exited by Freehold",
  max_lifetime: "Exited by Freehold",
  idle: "Exited by Freehold",
  no_credits: "Exited by Freehold",
  account_disabled: "Exited by Freehold",
  budget_spent: "Exited by Freehold",
  finished: "Exited by itself",
  gave_up: "Exited by Freehold",
  evicted: "Exited by Freehold",
  disk_full: "Exited by Freehold",
  gpu_quarantined: "Exited by Freehold",
  deleted: "Terminated by user",
  terminate_after: "Terminated by Freehold",
};

/** "Exited by Freehold: 2025-01-01T00:00:00.000Z, its stopAfter time was reached" */
function lastChange({ cause, changedAt, reason }: PodDesired): string {
  const change = `${changes[cause]}: ${instant(changedAt)}`;
  return reason === null ? change : `${change}, ${reason}`;
}
