// Routes of /v2/pods.

import type { FastifyInstance, FastifyReply } from "fastify";
import type { Pod } from "../../../contract/rest-v2/pod/pod.ts";
import { podOperations } from "../../../contract/rest-v2/pod/pod-operations.ts";
import { creatorOf } from "../../../domain/account.ts";
import { Fault } from "../../../domain/fault.ts";
import { type PodAction, podActions } from "../../../domain/pod/status/pod-status.ts";
import { ownPodSubject } from "../../../flows/log/subject.ts";
import { createPod, type PodDeps } from "../../../flows/pod/create.ts";
import { deletePodOf } from "../../../flows/pod/delete.ts";
import { type ClientMove, movePodOf } from "../../../flows/pod/move.ts";
import { type PodView, podPage, readPod, viewOf } from "../../../flows/pod/read.ts";
import { type RuntimeDeps, runtimesOf } from "../../../flows/pod/runtime.ts";
import { startPod } from "../../../flows/pod/start.ts";
import { changePodOf } from "../../../flows/pod/update.ts";
import type { Addresses } from "../../management/deps.ts";
import type { LogStreamDeps } from "../../management/observe/log.ts";
import { bytesOfList, sendAs } from "../../management/serve/json-lists.ts";
import { sendLogStream } from "../log-stream.ts";
import { pageRequest, paginationOf } from "../serve/cursor.ts";
import { cursorFilters, listFilter } from "../serve/list-filter.ts";
import { serveRestV2 } from "../serve/serve.ts";
import { templateNamed } from "../template/template-merge.ts";
import { newPodFrom, podChangesFrom } from "./pod-request.ts";
import { podRead, statusOf } from "./pod-view.ts";

/** What the view of a Pod shows beside the Pod. */
export type PodViewDeps = RuntimeDeps & Pick<Addresses, "sshAddress">;

type Deps = PodDeps & PodViewDeps & LogStreamDeps;

const moves: Record<Exclude<PodAction, "start">, ClientMove> = {
  stop: "stop",
  restart: "restart",
  terminate: "delete",
};

/** The Pods as clients read them, with what is measured of those that run. */
export async function readPodViews(deps: PodViewDeps, views: PodView[]): Promise<Pod[]> {
  const runtimes = await runtimesOf(
    deps,
    views.map(({ pod }) => pod),
  );
  const ssh = deps.sshAddress();
  return views.map((view, n) => podRead(view, runtimes[n]!, ssh));
}

export function podRoutes(app: FastifyInstance, deps: Deps): void {
  const readAll = (views: PodView[]) => readPodViews(deps, views);
  const read = async (view: PodView): Promise<Pod> => (await readAll([view]))[0]!;
  serveRestV2(app, podOperations, {
    async createPod({ accountId, key, body, once }) {
      await templateNamed(deps, accountId, body.templateId, { serverless: false });
      const pod = { ...creatorOf(key), ...newPodFrom(body), once };
      return read(await viewOf(deps, await createPod(deps, pod)));
    },
    async listPods({ accountId, key, query, reply }) {
      const { includeClusterPods: withMembers = false } = query;
      const filter = listFilter(query, key);
      const filters = { includeClusterPods: withMembers, ...cursorFilters(filter) };
      const scope = { accountId, operation: "listPods", filters };
      const request = pageRequest(scope, query);
      const page = await podPage(deps, accountId, request, { withMembers, ...filter });
      const pods = await readAll(page.items);
      const pagination = paginationOf(scope, page);
      const end = `,"pagination":${JSON.stringify(pagination)}}`;
      const bytes = [Buffer.from('{"pods":'), bytesOfList(pods), Buffer.from(end)];
      return sendAs(reply, { pods, pagination }, Buffer.concat(bytes));
    },
    getPod: async ({ accountId, params }) => read(await readPod(deps, accountId, params.podId)),
    async updatePod({ accountId, params, body }) {
      const { pod } = await readPod(deps, accountId, params.podId);
      const named = await templateNamed(deps, accountId, body.templateId, { serverless: false });
      const changes = podChangesFrom(body, pod, named?.spec ?? null);
      return read(await viewOf(deps, await changePodOf(deps, accountId, pod.id, changes)));
    },
    async deletePod({ accountId, params }) {
      await deletePodOf(deps, accountId, params.podId);
    },
    async actOnPod({ accountId, params, body: { action, ...rest }, reply }) {
      rest satisfies Record<string, never>;
      const view = await readPod(deps, accountId, params.podId);
      requireAction(view, action, reply);
      const { id } = view.pod;
      const pod =
        action === "start"
          ? await startPod(deps, accountId, id)
          : await movePodOf(deps, accountId, id, moves[action]);
      return action === "terminate" ? undefined! : read(await viewOf(deps, pod));
    },
    streamPodLogs: async ({ accountId, params, query, reply }) =>
      sendLogStream(deps, await ownPodSubject(deps, accountId, params.podId), query, reply),
  });
}

function requireAction(view: PodView, action: PodAction, { request }: FastifyReply): void {
  const { id: podId, cluster } = view.pod;
  if (cluster) throw new Fault("cluster_member", { id: podId, cluster: cluster.id });
  const isOwnKey = request.principal?.kind === "pod";
  if (isOwnKey && action !== "stop" && action !== "terminate") {
    const detail = "A Pod's own key can only read, stop and delete its Pod.";
    throw new Fault("forbidden", { detail });
  }
  const status = statusOf(view);
  const actions = podActions(status);
  if (actions.includes(action)) return;
  const facts = { id: view.pod.id, status, action, actions: actions.join(", ") };
  throw new Fault("pod_action_refused", facts);
}
