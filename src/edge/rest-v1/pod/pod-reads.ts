// Reading Pods and, on request, workers as Pods.

import type { Pod } from "../../../contract/rest-v1/pod/pod.ts";
import { Fault } from "../../../domain/fault.ts";
import { dataCenterOf } from "../../../domain/placement/data-center.ts";
import type { QueuedPod } from "../../../domain/queued-pod/queued-pod.ts";
import { capacityOf } from "../../../flows/catalog/capacity.ts";
import { readEndpoints } from "../../../flows/endpoint/read.ts";
import type { PodDeps } from "../../../flows/pod/create.ts";
import { type PodView, readPod, readPods } from "../../../flows/pod/read.ts";
import { podUptime } from "../../../flows/pod/runtime.ts";
import { findQueuedView, readQueuedPods } from "../../../flows/queued-pod/read.ts";
import { workerAsPod } from "../../management/endpoint/worker-as-pod.ts";
import { podDataCenter } from "../../management/pod/machine-view.ts";
import { type PodIncluding, podRead } from "../../management/pod/pod-view.ts";
import { queuedPodRead } from "../../management/pod/queued-pod-view.ts";
import { type FilteredPod, type PodFilters, podFilter } from "./pod-filter.ts";

export type PodReadDeps = Pick<
  PodDeps,
  "store" | "clock" | "catalog" | "heartbeatTiming" | "officialTemplates"
>;

type PodFlags = Omit<PodIncluding, "capacity"> & {
  includeMachine?: boolean;
  includeWorkers?: boolean;
};

interface Rendered {
  uptimeSeconds: number | null;
  pod: Pod;
}

const withRuntime = (pod: Pod, uptimeSeconds: number | null): Pod =>
  uptimeSeconds === null ? pod : { ...pod, runtime: { uptimeSeconds } };

export function podReads(deps: PodReadDeps) {
  const uptimeOf = ({ pod }: PodView) => podUptime(pod, deps.clock.now());
  const read = (view: PodView, including?: PodIncluding) => {
    const template = deps.officialTemplates.find(view.pod.desired.spec.templateId) ?? view.template;
    return withRuntime(podRead(deps.catalog, { ...view, template }, including), uptimeOf(view));
  };
  // The flow returns the same view as long as its Pod does not change. A view always or never has an uptime.
  const rendered = new WeakMap<PodView, Rendered>();
  const readCached = (view: PodView) => {
    const uptimeSeconds = uptimeOf(view);
    const last = rendered.get(view);
    if (last?.uptimeSeconds === uptimeSeconds) return last.pod;
    const pod = withRuntime(last?.pod ?? podRead(deps.catalog, view), uptimeSeconds);
    rendered.set(view, { uptimeSeconds, pod });
    return pod;
  };
  return {
    read,
    /** A request that has just entered the line. */
    async readQueued(pod: QueuedPod): Promise<Pod> {
      const view = await findQueuedView(deps, pod.accountId, pod.id);
      return queuedPodRead(deps.catalog, view ?? { pod, ahead: null });
    },
    async list(accountId: string, query: PodFlags & PodFilters): Promise<Pod[]> {
      const including = await includingOf(deps, query);
      // The line first: a Pod that is created between the two reads is in both, and not in neither.
      const line = await readQueuedPods(deps, accountId);
      const views = await readPods(deps, accountId);
      const pods = views.map((view) => ({
        pod: includesNothing(including) ? readCached(view) : read(view, including),
        dataCenterId: podDataCenter(view),
      }));
      const created = new Set(line.length > 0 ? views.map(({ pod }) => pod.id) : []);
      const queued = line
        .filter(({ pod }) => !created.has(pod.id))
        .map((view) => ({ pod: queuedPodRead(deps.catalog, view), dataCenterId: null }));
      const workers = query.includeWorkers ? await workerPods(deps, accountId, including) : [];
      return [...queued, ...pods, ...workers].filter(podFilter(query)).map(({ pod }) => pod);
    },
    async find(accountId: string, id: string, query: PodFlags): Promise<Pod> {
      const including = await includingOf(deps, query);
      try {
        return read(await readPod(deps, accountId, id), including);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        const queued = await findQueuedView(deps, accountId, id);
        if (queued) return queuedPodRead(deps.catalog, queued);
        // It may have been created between the two reads.
        const late = await readPod(deps, accountId, id).catch(() => null);
        if (late) return read(late, including);
        if (!query.includeWorkers) throw error;
        const workers = await workerPods(deps, accountId, including);
        const found = workers.find(({ pod }) => pod.id === id);
        if (!found) throw error;
        return found.pod;
      }
    },
  };
}

/** The query's flags, with what is read for them. */
async function includingOf(
  deps: PodReadDeps,
  { includeMachine, ...flags }: PodFlags,
): Promise<PodIncluding> {
  return includeMachine ? { ...flags, capacity: await capacityOf(deps) } : flags;
}

const includesNothing = (including: PodIncluding) =>
  !(
    including.capacity ||
    including.includeNetworkVolume ||
    including.includeSavingsPlans ||
    including.includeTemplate
  );

async function workerPods(
  deps: PodReadDeps,
  accountId: string,
  including: PodIncluding,
): Promise<FilteredPod[]> {
  const { catalog, clock } = deps;
  const reading = { now: clock.now(), capacity: including.capacity ?? null };
  return (await readEndpoints(deps, accountId, true)).flatMap((view) =>
    (view.workers ?? []).map((each) => ({
      pod: workerAsPod(catalog, each, view, reading),
      dataCenterId: dataCenterOf(
        each.machine?.inventory.dataCenterId,
        view.endpoint.spec.dataCenterIds,
      ),
    })),
  );
}
