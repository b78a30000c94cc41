// Reads sandboxes. Their records are readable after their end.

import { Fault } from "../../domain/fault.ts";
import { hasLabels, type LabelFilter } from "../../domain/label/labels.ts";
import type { Owned } from "../../domain/member/member.ts";
import { endedFault, notRunning } from "../../domain/sandbox/refusal.ts";
import type { Sandbox, SandboxState } from "../../domain/sandbox/sandbox.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { findMemberName } from "../../store/member/member.ts";
import { findPod } from "../../store/pod/row.ts";
import { findSandbox, sandboxesOf } from "../../store/sandbox/sandbox.ts";
import type { Subject } from "../log/subject.ts";

export interface SandboxView extends Sandbox, Owned {
  /** Micro-dollars per hour with its disk, at today's price; null once it has ended. */
  rate: number | null;
}

export interface SandboxFilter {
  state: SandboxState | null;
  /** The member that they belong to; null for all. */
  ownerId: string | null;
  /** All of them must match. */
  labels: LabelFilter;
}

export async function readSandbox(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<SandboxView> {
  const view = await store.read(viewById, accountId, id);
  if (!view) throw new Fault("sandbox_not_found", { id });
  return view;
}

/** Newest first; those that are TERMINATED only if the filter names the state. */
export function readSandboxes(
  { store }: { store: Store },
  accountId: string,
  filter: SandboxFilter,
): Promise<SandboxView[]> {
  return store.read(viewsBy, accountId, filter);
}

/** Throws a fault unless its container runs. */
export async function ownSandboxSubject(
  deps: { store: Store },
  accountId: string,
  id: string,
): Promise<Subject> {
  const sandbox = await readSandbox(deps, accountId, id);
  const pod = await deps.store.read(findPod, id);
  const refusal = notRunning(sandbox) ?? (pod ? null : endedFault(sandbox));
  if (refusal) throw refusal;
  return { kind: "pod", id, machine: pod!.placement.machine };
}

function* viewById(accountId: string, id: string): Tx<SandboxView | null> {
  const sandbox = yield* findSandbox(id);
  return sandbox?.accountId === accountId ? yield* viewOf(sandbox) : null;
}

function* viewsBy(accountId: string, { labels, ...filter }: SandboxFilter): Tx<SandboxView[]> {
  const found = yield* sandboxesOf(accountId, filter);
  const views: SandboxView[] = [];
  for (const sandbox of found) {
    if (hasLabels(sandbox.labels, labels)) views.push(yield* viewOf(sandbox));
  }
  return views;
}

function* viewOf(sandbox: Sandbox): Tx<SandboxView> {
  const pod = sandbox.end === null ? yield* findPod(sandbox.id) : undefined;
  const owner = pod?.ownerId ? yield* findMemberName(pod.ownerId) : undefined;
  return { ...sandbox, owner, rate: pod?.pricing.runningRate ?? null };
}
