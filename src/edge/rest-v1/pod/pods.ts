// The routes of /v1/pods.

import type { FastifyInstance } from "fastify";
import { podOperations } from "../../../contract/rest-v1/pod/pod-operations.ts";
import { creatorOf } from "../../../domain/account.ts";
import type { Pod as DomainPod } from "../../../domain/pod/pod.ts";
import { recordAction } from "../../../flows/audit/action.ts";
import { ownPodSubject, ownSubject } from "../../../flows/log/subject.ts";
import { ownerNamed } from "../../../flows/member/owner.ts";
import { createPod, type PodDeps } from "../../../flows/pod/create.ts";
import { deletePodOf } from "../../../flows/pod/delete.ts";
import { execInPod } from "../../../flows/pod/exec.ts";
import { keepPodOf } from "../../../flows/pod/keep.ts";
import { movePodOf } from "../../../flows/pod/move.ts";
import { viewOf } from "../../../flows/pod/read.ts";
import { startPod } from "../../../flows/pod/start.ts";
import { changePodOf } from "../../../flows/pod/update.ts";
import { createOrQueue } from "../../../flows/queued-pod/create.ts";
import type { TerminalUpgrades } from "../../management/deps.ts";
import { type LogStreamDeps, sendLog } from "../../management/observe/log.ts";
import { streamSignal } from "../../management/observe/stream.ts";
import { newPodRequest, podChanges } from "../../management/pod/pod-request.ts";
import { bytesOfList, sendAs } from "../../management/serve/json-lists.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import { metricsOf } from "../observe/metrics.ts";
import { sendSplitLog } from "../observe/split-log.ts";
import { podEventsFor } from "./pod-event.ts";
import { podReads } from "./pod-reads.ts";

interface Deps extends PodDeps, LogStreamDeps {
  terminals: TerminalUpgrades;
}

const KEEP_MINUTES = 120;

export function podRoutes(app: FastifyInstance, deps: Deps): void {
  const reads = podReads(deps);
  const readWritten = async (pod: DomainPod) => reads.read(await viewOf(deps, pod));
  serveOperations(app, podOperations, {
    async createPod({ key, body: { queue = false, ...body }, once }) {
      const newPod = { ...creatorOf(key), ...newPodRequest(body), once };
      if (!queue) return readWritten(await createPod(deps, newPod));
      const { isQueued, created } = await createOrQueue(deps, newPod);
      return isQueued ? reads.readQueued(created) : readWritten(created);
    },
    async listPods({ accountId, key, query, reply }) {
      const { createdBy, ...filters } = query;
      const ownerId = ownerNamed(createdBy, key);
      const pods = await reads.list(accountId, { ...filters, ownerId });
      return sendAs(reply, pods, bytesOfList(pods));
    },
    getPod: ({ accountId, params, query }) => reads.find(accountId, params.podId, query),
    updatePod: async ({ accountId, params, body }) =>
      readWritten(await changePodOf(deps, accountId, params.podId, podChanges(body))),
    async deletePod({ accountId, params }) {
      await deletePodOf(deps, accountId, params.podId);
    },
    startPod: async ({ accountId, params }) =>
      readWritten(await startPod(deps, accountId, params.podId)),
    stopPod: async ({ accountId, params }) =>
      readWritten(await movePodOf(deps, accountId, params.podId, "stop")),
    restartPod: async ({ accountId, params }) =>
      readWritten(await movePodOf(deps, accountId, params.podId, "restart")),
    resetPod: async ({ accountId, params }) =>
      readWritten(await movePodOf(deps, accountId, params.podId, "reset")),
    keepPod: async ({ accountId, params, body }) =>
      readWritten(await keepPodOf(deps, accountId, params.podId, body.minutes ?? KEEP_MINUTES)),
    async execInPod({ accountId, params, query, reply }) {
      const { tty = false, cols = 80, rows = 24 } = query;
      const { command = ["sh"] } = query;
      await ownPodSubject(deps, accountId, params.podId);
      deps.terminals.check(reply.request.raw);
      const podRequest = { command, tty: tty ? { cols, rows } : null };
      const execution = await execInPod(deps, accountId, params.podId, podRequest);
      await recordAction(deps);
      const signal = streamSignal(deps, reply);
      reply.hijack();
      deps.terminals.open(reply.request.raw, execution, signal);
      return reply;
    },
    listPodEvents: (request) => podEventsFor(deps, request, request.params.podId),
    getPodMetrics: async ({ accountId, params }) =>
      metricsOf(deps, await ownPodSubject(deps, accountId, params.podId)),
    getPodLogs: async ({ accountId, params, query, reply }) =>
      sendLog(deps, await ownPodSubject(deps, accountId, params.podId), query, reply),
    getSplitLogs: async ({ accountId, params, query, reply }) =>
      sendSplitLog(deps, await ownSubject(deps, accountId, params.podId), query, reply),
  });
}
