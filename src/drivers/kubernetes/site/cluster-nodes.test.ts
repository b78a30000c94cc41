// Tests of what is taken of a cluster's nodes, against an API server that answers as a real one.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { VirtualClock } from "../../../base/clock.ts";
import { KubernetesCluster } from "../cluster.ts";
import { ANNOTATION, LABEL } from "../names.ts";
import { ClusterNodes } from "./cluster-nodes.ts";

const pod = (name: string, cpu: string, more: object = {}, status: object = {}) => ({
  metadata: {
    name,
    namespace: "n",
    uid: name,
    resourceVersion: "1",
    labels: { [LABEL.machine]: "m" },
    annotations: { [ANNOTATION.workload]: name },
    ...more,
  },
  spec: { nodeName: "n1", containers: [{ name: "main", resources: { requests: { cpu } } }] },
  status: { phase: "Running", ...status },
});

const deleted = { deletionTimestamp: "2027-01-01T00:00:00Z", deletionGracePeriodSeconds: 30 };
const own = [
  pod("runs", "1"),
  pod("restarts", "2", deleted),
  pod("stopped", "4", deleted),
  pod("forgotten", "8"),
  pod("over", "16", deleted, { phase: "Failed" }),
];
const node = { metadata: { name: "n1", uid: "u1", resourceVersion: "1" }, status: {} };

test("a Pod without a place takes room until the cluster no longer has it", async (t) => {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, "http://localhost");
    if (searchParams.has("watch")) return void response.flushHeaders();
    const isOthers = searchParams.get("labelSelector")?.includes("!=");
    const pods = isOthers ? [pod("other", "100m")] : own;
    const items = pathname.endsWith("/nodes") ? [node] : pods;
    response.end(JSON.stringify({ metadata: { resourceVersion: "1" }, items }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const access = {
    context: "",
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: null,
    serverName: null,
    certificate: null,
    token: null,
  };
  const cluster = new KubernetesCluster(access, new VirtualClock(), "test");
  const nodes = new ClusterNodes(cluster);
  t.after(async () => {
    await nodes.close();
    await cluster.close();
    server.closeAllConnections();
    server.close();
  });
  const questions: string[][] = [];
  const [listed] = await nodes.list(async (workloads) => {
    questions.push([...workloads]);
    return new Set(["runs", "restarts"]);
  });
  assert.deepEqual(questions, [["runs", "restarts", "stopped", "forgotten", "over"]]);
  assert.equal(listed?.others?.cpus, 0.1);
  const leaving = Object.entries(listed!.leaving).map(([id, { cpus }]) => [id, cpus]);
  assert.deepEqual(leaving, [
    ["stopped", 4],
    ["forgotten", 8],
  ]);
});
