// Reads Pods with the objects that their views show.

import { Fault } from "../../domain/fault.ts";
import { hasLabels } from "../../domain/label/labels.ts";
import type { MemberName } from "../../domain/member/member.ts";
import type { SavingsPlan } from "../../domain/money/savings-plan.ts";
import type { NetworkVolume } from "../../domain/network-volume/network-volume.ts";
import { isPodOf, type Pod } from "../../domain/pod/pod.ts";
import type { Template } from "../../domain/template/template.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { findMemberName } from "../../store/member/member.ts";
import { findVolume } from "../../store/network-volume/network-volume.ts";
import {
  findPod,
  type PodFilter,
  type PodSelection,
  podsAfter,
  podsOf,
} from "../../store/pod/row.ts";
import { knownMachines, type StoredMachine } from "../../store/replica/inventory.ts";
import { activePlansOf } from "../../store/savings-plan/savings-plan.ts";
import { findTemplate } from "../../store/template/template.ts";
import { BEFORE_ALL, type Page, type PageRequest, pageOf } from "../page.ts";
import { readCached } from "../read-cache.ts";
import { asOthersSee } from "../template/find.ts";

export interface PodView {
  pod: Pod;
  /** The member it belongs to; undefined if it belongs to the account alone. */
  owner: MemberName | undefined;
  /** Undefined if the machine was removed. */
  machine: StoredMachine | undefined;
  /** The account's template it was created from; undefined if it was deleted. */
  template: Template | undefined;
  networkVolume: NetworkVolume | undefined;
  /** Savings plans that cover it, or would cover it while it runs. */
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
  return readCached(store, "Pods", allViews, accountId);
}

/** Newest first. */
export async function podPage(
  { store }: { store: Store },
  accountId: string,
  { after, limit }: PageRequest,
  filter: PodFilter,
): Promise<Page<PodView>> {
  const found = await readCached(store, "page of Pods", viewsAfter, accountId, {
    after: after ?? BEFORE_ALL,
    limit: limit + 1,
    ...filter,
  });
  const { next } = pageOf(
    found.map(({ pod }) => pod),
    limit,
  );
  const items = found.slice(0, limit);
  return { items: items.filter(({ pod }) => hasLabels(pod.labels, filter.labels)), next };
}

/** The view of a Pod that a flow has just written. */
export async function viewOf({ store }: { store: Store }, pod: Pod): Promise<PodView> {
  const [view] = await store.read(viewsOf, [pod]);
  return view!;
}

function* viewById(accountId: string, id: string): Tx<PodView | null> {
  const pod = yield* findPod(id);
  return isPodOf(pod, accountId) ? (yield* viewsOf([pod]))[0]! : null;
}

function* allViews(accountId: string): Tx<PodView[]> {
  return yield* viewsOf(yield* podsOf(accountId));
}

function* viewsAfter(accountId: string, selected: PodSelection): Tx<PodView[]> {
  return yield* viewsOf(yield* podsAfter(accountId, selected));
}

export function* viewsOf(pods: Pod[]): Tx<PodView[]> {
  const machines = yield* knownMachines();
  const templates = yield* findEach(
    pods.map(({ desired }) => desired.spec.templateId),
    findTemplate,
  );
  const volumes = yield* findEach(
    pods.map(({ desired }) => desired.spec.networkVolumeId),
    findVolume,
  );
  const owners = yield* findEach(
    pods.map(({ ownerId }) => ownerId),
    findMemberName,
  );
  const plans: SavingsPlan[] = [];
  for (const id of new Set(pods.map(({ accountId }) => accountId))) {
    plans.push(...(yield* activePlansOf(id)));
  }
  return pods.map((pod) => ({
    pod,
    owner: owners.get(pod.ownerId ?? ""),
    machine: machines.find(({ machine }) => machine === pod.placement.machine),
    template: templateFor(pod, templates.get(pod.desired.spec.templateId ?? "")),
    networkVolume: volumes.get(pod.desired.spec.networkVolumeId ?? ""),
    plans: plans.filter(({ podId }) => podId === pod.id),
  }));
}

/** A public template of another account does not name its owner and its labels. */
function templateFor({ accountId }: Pod, template: Template | undefined): Template | undefined {
  return template && template.accountId !== accountId ? asOthersSee(template) : template;
}

/** What has these ids, by id; each is read once. */
function* findEach<Found>(
  ids: (string | null)[],
  find: (id: string) => Tx<Found | undefined>,
): Tx<Map<string, Found>> {
  const all = new Map<string, Found>();
  for (const id of new Set(ids)) {
    const found = id === null ? undefined : yield* find(id);
    if (found) all.set(id!, found);
  }
  return all;
}
