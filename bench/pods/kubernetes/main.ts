// npm run bench:pods -- kubernetes: Pods in a cluster beside kubectl, and large simulated clusters.

import { writeFileSync } from "node:fs";
import path from "node:path";
import { sharedCluster } from "../../../test/fixtures/kubernetes/cluster.ts";
import { loadImage } from "../../../test/kubernetes/rig.ts";
import { describeMachine } from "../../jobs/host/machine.ts";
import { markdownTable } from "../../jobs/report/table.ts";
import { type Beside, measureBeside } from "./beside-kubectl.ts";
import { PaperNodes } from "./paper-nodes.ts";
import { ClusterService } from "./service.ts";
import { type AtOnce, measureAtOnce, measureRestart, type Settled } from "./size.ts";

const GOAL_START = 1.15;
const GOAL_AT_ONCE = 1.2;
const GOAL_MS = 50;
const GOAL_MB = 300;
const PODS_AT_ONCE = 200;

export async function benchKubernetes(rounds: number): Promise<void> {
  const cluster = await sharedCluster();
  await loadImage(cluster);
  const service = new ClusterService(cluster);
  await service.start();
  await service.addCluster();
  await service.nodesOnline(2);
  const beside = await measureBeside(cluster, service, rounds);
  // The controllers would call paper nodes dead.
  await cluster.node("control", "stop", "kube-controller-manager");
  const paper = await PaperNodes.open(cluster);
  await paper.add(0, 500);
  await service.nodesOnline(502);
  const atOnce = await measureAtOnce(cluster, service, PODS_AT_ONCE);
  const settled = [await measureRestart(service, 502, PODS_AT_ONCE)];
  await paper.add(500, 1_000);
  await paper.addPods(5_000, 1_000);
  settled.push(await measureRestart(service, 1_002, 5_000 + PODS_AT_ONCE));
  const page = pageOf(beside, atOnce, settled, rounds);
  process.stdout.write(page);
  writeFileSync(path.join(import.meta.dirname, "../../results/pods-kubernetes.md"), page);
  await service.stop();
  service.remove();
  await paper.close();
}

function pageOf(beside: Beside[], atOnce: AtOnce, settled: Settled[], rounds: number): string {
  const [start, ...streams] = beside;
  const ratio = start!.freeholdMs / start!.kubectlMs;
  const ratioAtOnce = atOnce.freeholdMs / atOnce.kubectlMs;
  return `# Kubernetes benchmark

Written by \`npm run bench:pods -- kubernetes\` on ${new Date().toISOString().slice(0, 10)}.

${describeMachine()
  .map((each) => `- ${each}`)
  .join("\n")}
- Kubernetes 1.35 with containerd, on the same machine

## Beside kubectl

Medians of ${rounds}, in alternation, on two nodes with containers. A start ends when \`kubectl wait\` says Ready, or when
Freehold says that the Pod runs. The goals are a ratio of ${GOAL_START} for a start, ${GOAL_AT_ONCE} for ${atOnce.pods} Pods at once, and first
bytes within ${GOAL_MS} ms of kubectl's own. The ${atOnce.pods} Pods run on paper nodes: the API server and the scheduler are real, and
containers are not.

${markdownTable(
  ["", "kubectl ms", "Freehold ms", "ratio", "verdict"],
  [
    [
      start!.what,
      wholeMs(start!.kubectlMs),
      wholeMs(start!.freeholdMs),
      ratio.toFixed(2),
      verdictOf(ratio <= GOAL_START),
    ],
    [
      `${atOnce.pods} Pods at once`,
      wholeMs(atOnce.kubectlMs),
      wholeMs(atOnce.freeholdMs),
      ratioAtOnce.toFixed(2),
      verdictOf(ratioAtOnce <= GOAL_AT_ONCE),
    ],
    ...streams.map(({ what, kubectlMs, freeholdMs }) => [
      what,
      wholeMs(kubectlMs),
      wholeMs(freeholdMs),
      (freeholdMs / kubectlMs).toFixed(2),
      verdictOf(freeholdMs <= kubectlMs + GOAL_MS),
    ]),
  ],
)}

## Large clusters

Paper nodes with 8 GPUs each. Freehold is restarted: the time until all nodes are online, its memory then, its CPU time
per idle second, and the medians of listing the machines and of the request for a Pod with a GPU. The goal is less than
${GOAL_MB} MB.

${clusterTable(settled)}
`;
}

const wholeMs = (value: number) => value.toFixed(0);
const verdictOf = (isMet: boolean) => (isMet ? "met" : "not met");

function clusterTable(settled: Settled[]): string {
  const columns =
    "nodes, Pods, settled ms, memory MB, CPU ms per second, list ms, request ms, verdict";
  return markdownTable(
    columns.split(", "),
    settled.map((each) => [
      String(each.nodes),
      String(each.pods),
      wholeMs(each.settledMs),
      wholeMs(each.memoryMb),
      wholeMs(each.cpuMsPerSecond),
      wholeMs(each.listMs),
      wholeMs(each.placeMs),
      verdictOf(each.memoryMb < GOAL_MB),
    ]),
  );
}
