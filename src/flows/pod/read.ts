// Pods with what belongs to them.

import { Fault } from "../../domain/fault.ts";
import type { SavingsPlan } from "../../domain/money/savings-plan.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import type { Template } from "../../domain/template/template.ts";
import { findVolume } from "../../store/network-volume/network-volume.ts";
import { findPod, podsOf } from "../../store/pod/row.ts";
import { type KnownMachine, knownMachines } from "../../store/replica/inventory.ts";
import { activePlansOf } from "../../store/savings-plan/plan.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { findTemplate } from "../../store/template/template.ts";
import { readUnlessUnchanged } from "../unchanged.ts";

export interface PodView {
  pod: Pod;
  /** Where it is; undefined where the machine is not known any more. */
  machine: KnownMachine | undefined;
  /** What it was made from, if there still is one. */
  template: Template | undefined;
  networkVolume: NetworkVolume | undefined;
  /** Savings plans that cover it, or would if it ran. */
  plans: SavingsPlan[];
}

export async function readPod(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<PodView> {
  const view = await store.read(viewById, accountId, id);
  if (!view) throw new Fault("pod_not_found", { id });
  return view;
}

export async function readPods({ store }: { store: Store }, accountId: string): Promise<PodView[]> {
  return readUnlessUnchanged(store, `Pods of ${accountId}`, views, accountId);
}

/** A Pod that a flow has just written. */
export async function viewOf({ store }: { store: Store }, pod: Pod): Promise<PodView> {
  const [view] = await store.read(withWhatBelongs, [pod]);
  return view!;
}

function* viewById(accountId: string, id: string): Verb<PodView | null> {
  const pod = yield* findPod(id);
  if (pod?.accountId !== accountId || pod.state === "TERMINATED") return null;
  return (yield* withWhatBelongs([pod]))[0]!;
}

function* views(accountId: string): Verb<PodView[]> {
  return yield* withWhatBelongs(yield* podsOf(accountId));
}

function* withWhatBelongs(pods: Pod[]): Verb<PodView[]> {
  const machines = yield* knownMachines();
  const templates = yield* each(
    pods.map(({ spec }) => spec.templateId),
    findTemplate,
  );
  const volumes = yield* each(
    pods.map(({ spec }) => spec.networkVolumeId),
    findVolume,
  );
  const plans: SavingsPlan[] = [];
  for (const id of new Set(pods.map(({ accountId }) => accountId))) {
    plans.push(...(yield* activePlansOf(id)));
  }
  return pods.map((pod) => ({
    pod,
    machine: machines.find(({ machine }) => machine === pod.machine),
    template: templates.get(pod.spec.templateId ?? ""),
    networkVolume: volumes.get(pod.spec.networkVolumeId ?? ""),
    plans: plans.filter(({ podId }) => podId === pod.id),
  }));
}

/** Each that is named, asked for once. */
function* each<Found>(
  ids: (string | null)[],
  find: (id: string) => Verb<Found | undefined>,
): Verb<Map<string, Found>> {
  const all = new Map<string, Found>();
  for (const id of new Set(ids)) {
    const found = id === null ? undefined : yield* find(id);
    if (found) all.set(id!, found);
  }
  return all;
}
