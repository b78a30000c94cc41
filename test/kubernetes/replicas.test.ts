// Two replicas of Freehold on one cluster: one manages it, both serve its Pods, and the other takes over.

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { liveMachines } from "../../src/store/replica/replica.ts";
import { ownCluster, skipReason } from "../fixtures/kubernetes/cluster.ts";
import { until } from "../fixtures/until.ts";
import { missing } from "../postgres/database.ts";
import { startPair } from "../replicas/pair.ts";
import { addCluster, createPod, loadImage, objectsOf, untilSays } from "./rig.ts";

const PROTOCOL = { heartbeatMs: 300, machineLostMs: 8_000, endGraceMs: 1_000 };

suite("two replicas on a Kubernetes cluster", { skip: skipReason || missing }, () => {
  test("the other replica takes over, and the Pods stay", async (t) => {
    const cluster = await ownCluster(t, "--node", "n1", "--node", "n2");
    await loadImage(cluster);
    const env = { FREEHOLD_PUBLIC_URL: cluster.reachUrl };
    const { service, a, b } = await startPair(t, { env, protocol: PROTOCOL });
    const { nodes } = await addCluster(a, cluster, 2);
    const pod = await createPod(b);
    for (const replica of [a, b]) await untilSays(replica, pod, "hello");
    const [before] = objectsOf(cluster, pod);

    const [first, second] = service.replicas;
    const { store } = first!.service;
    const node = [...nodes.values()][0]!;
    const machines = await store.read(liveMachines, 0);
    const { address } = machines.find(({ machine }) => machine === node.id)!;
    const isFirst = new URL(address).port === new URL(first!.origin).port;
    await (isFirst ? first! : second!).stop();

    const rest = isFirst ? b : a;
    const next = await createPod(rest);
    await untilSays(rest, next, "hello");
    await untilSays(rest, pod, "hello");
    assert.equal(objectsOf(cluster, pod)[0]!.metadata.uid, before!.metadata.uid);
    for (const each of [pod, next]) {
      assert.equal((await rest.call("DELETE", `/v1/pods/${each}`)).status, 204);
      await until(() => objectsOf(cluster, each).length === 0);
    }
  });
});
