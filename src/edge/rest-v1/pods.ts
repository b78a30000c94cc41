// /v1/pods.

import type { FastifyInstance } from "fastify";
import type { Pod } from "../../contract/rest-v1/pod.ts";
import { podOperations } from "../../contract/rest-v1/pod-operations.ts";
import { Fault } from "../../domain/fault.ts";
import type { Pod as Kept } from "../../domain/pod/pod.ts";
import { tellNow } from "../../flows/audit/act.ts";
import { readEndpoints } from "../../flows/endpoint/read.ts";
import { ownPodSubject } from "../../flows/log/subject.ts";
import { createPod } from "../../flows/pod/create.ts";
import { execInPod } from "../../flows/pod/exec.ts";
import { movePodOf } from "../../flows/pod/move.ts";
import { type PodView, readPod, readPods, viewOf } from "../../flows/pod/read.ts";
import { startPod } from "../../flows/pod/start.ts";
import { changePodOf } from "../../flows/pod/update.ts";
import type { RestDeps } from "./deps.ts";
import { sendLog } from "./log.ts";
import { metricsOf } from "./metrics.ts";
import { podEventsFor } from "./pod-event.ts";
import { type PodFilters, podFilter } from "./pod-filter.ts";
import { type PodIncluding, podRead } from "./pod-read.ts";
import { newPodWishes, podChanges } from "./pod-wishes.ts";
import { serve } from "./serve.ts";
import { workerAsPod } from "./worker-as-pod.ts";

export function podRoutes(app: FastifyInstance, deps: RestDeps): void {
  const read = (view: PodView, query?: PodIncluding) => podRead(deps.catalog, view, query);
  const written = async (pod: Kept) => read(await viewOf(deps, pod));
  // A view that is still true is not shown anew.
  const shown = new WeakMap<PodView, Pod>();
  const readPlainly = (view: PodView) => {
    const known = shown.get(view) ?? read(view);
    shown.set(view, known);
    return known;
  };
  serve(app, podOperations, {
    createPod: async ({ accountId, key, body, once }) =>
      written(await createPod(deps, { accountId, keyId: key.id, ...newPodWishes(body), once })),
    async listPods({ accountId, query }) {
      const views = (await readPods(deps, accountId)).map((view) => ({
        pod: plain(query) ? readPlainly(view) : read(view, query),
        dataCenterId: view.machine?.inventory.dataCenterId ?? null,
      }));
      const workers = query.includeWorkers ? await workerPods(deps, accountId) : [];
      const all = [...views, ...workers.map((pod) => ({ pod, dataCenterId: null }))];
      return all.filter(podFilter(query as PodFilters)).map(({ pod }) => pod);
    },
    async getPod({ accountId, params, query }) {
      try {
        return read(await readPod(deps, accountId, params.podId), query);
      } catch (error) {
        if (!(error instanceof Fault) || !query.includeWorkers) throw error;
        const workers = await workerPods(deps, accountId);
        const found = workers.find(({ id }) => id === params.podId);
        if (!found) throw error;
        return found;
      }
    },
    updatePod: async ({ accountId, params, body }) =>
      written(await changePodOf(deps, accountId, params.podId, podChanges(body))),
    async deletePod({ accountId, params }) {
      await movePodOf(deps, accountId, params.podId, "delete");
    },
    startPod: async ({ accountId, params }) =>
      written(await startPod(deps, accountId, params.podId)),
    stopPod: async ({ accountId, params }) =>
      written(await movePodOf(deps, accountId, params.podId, "stop")),
    restartPod: async ({ accountId, params }) =>
      written(await movePodOf(deps, accountId, params.podId, "restart")),
    resetPod: async ({ accountId, params }) =>
      written(await movePodOf(deps, accountId, params.podId, "reset")),
    async execInPod({ accountId, params, query, reply }) {
      const { tty = false, cols = 80, rows = 24 } = query;
      const { command = ["sh"] } = query;
      await ownPodSubject(deps, accountId, params.podId);
      deps.terminals.check(reply.request.raw);
      const wish = { command, tty: tty ? { cols, rows } : null };
      const execution = await execInPod(deps, accountId, params.podId, wish);
      await tellNow(deps);
      const stopped = deps.polls.hold(reply.request, reply);
      const gone = AbortSignal.any([stopped, deps.admission.until(reply)]);
      reply.hijack();
      deps.terminals.open(reply.request.raw, execution, gone);
      return reply;
    },
    listPodEvents: (ask) => podEventsFor(deps, ask, ask.params.podId),
    getPodMetrics: async ({ accountId, params }) =>
      metricsOf(deps, await ownPodSubject(deps, accountId, params.podId)),
    getPodLogs: async ({ accountId, params, query, reply }) =>
      sendLog(deps, await ownPodSubject(deps, accountId, params.podId), query, reply),
  });
}

const plain = (including: PodIncluding) =>
  !(
    including.includeMachine ||
    including.includeNetworkVolume ||
    including.includeSavingsPlans ||
    including.includeTemplate
  );

async function workerPods(deps: RestDeps, accountId: string): Promise<Pod[]> {
  const views = await readEndpoints(deps, accountId, true);
  return views.flatMap((view) => (view.workers ?? []).map((worker) => workerAsPod(worker, view)));
}
