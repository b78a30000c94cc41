// Whether the accounts of a cluster are isolated, as its machines say. The network plugin of the tests enforces no
// policies, so the test does what one that enforces them would do.

import assert from "node:assert/strict";
import { freehold } from "../cli/command.ts";
import { ensureImage, sharedEngine } from "../fixtures/docker/engine.ts";
import type { TestCluster } from "../fixtures/kubernetes/cluster.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { addCluster, machinesOf } from "./rig.ts";

const PROBE_IMAGE = "freehold-test-probe:1";
const POD_RANGE = "10.244.0.0/16";

/** The settings of a service whose probes can run in the cluster. */
export async function probeSettings(cluster: TestCluster): Promise<Record<string, string>> {
  const engine = await sharedEngine();
  const busybox = (program: string): [string, string] => [program, "/bin/busybox"];
  const programs = ["sh", "nc", "sleep", "printf"];
  await cluster.load(
    engine,
    ensureImage(engine, PROBE_IMAGE, () => programs.map(busybox)),
  );
  return { FREEHOLD_PROBE_IMAGE: PROBE_IMAGE };
}

/** The cluster's machine once its probe has ended as wanted. */
const probed = (service: TestService, wanted: string) =>
  until(async () => {
    const machines = await machinesOf(service);
    return machines.find(({ address, isolation }) => address && isolation === wanted);
  });

export async function isolationStory(
  cluster: TestCluster,
  start: (dataFolder?: string) => Promise<TestService>,
): Promise<void> {
  const service = await start();
  await addCluster(service, cluster, 2);
  const first = await probed(service, "unproven");
  assert.match(first.isolationTrouble!, /reached a Pod of another in spite of a policy/);
  assert.equal(first.callsBack, true);
  await doctorStory(service, cluster);

  await untilNoneIsLeft(cluster);
  await service.stop();
  await isolateAll(cluster);
  const again = await start(service.dataFolder);
  await admitNear(cluster);
  assert.equal((await probed(again, "proven")).isolationTrouble, undefined);
  await untilNoneIsLeft(cluster);
  await onNodes(cluster, ["--delete", ...ISOLATE]);
}

/** What `freehold doctor` says of the cluster, whose second node is labelled wrongly meanwhile. */
async function doctorStory(service: TestService, cluster: TestCluster): Promise<void> {
  const label = "nvidia.com/gpu.product";
  const before = cluster.kubectl("get", "node", "n2", "-o", "jsonpath={.metadata.labels}");
  const product = (JSON.parse(before) as Record<string, string>)[label];
  cluster.kubectl("label", "--overwrite", "node", "n2", `${label}=Unknown-1`);
  await until(async () => (await machinesOf(service)).some(({ notices }) => notices));
  let stdout = "";
  // One slow answer of the API server is a failure of the cluster until the next one.
  await until(async () => {
    ({ stdout } = await freehold(["doctor", "--data", service.dataFolder]));
    return !/^fail +cluster/m.test(stdout);
  }).catch(() => assert.fail(stdout.match(/^fail .*/gm)?.join("\n")));
  cluster.kubectl("label", "--overwrite", "node", "n2", `${label}=${product}`);
  assert.match(stdout, /^warn +cluster lab +isolation: unproven\. A Pod of one namespace/m);
  assert.match(stdout, /^warn +cluster lab +node n2: its GPUs Unknown-1 have no price/m);
}

async function untilNoneIsLeft(cluster: TestCluster): Promise<void> {
  const query = ["get", "namespaces", "-o", "name", "-l", "freehold.dev/probe"];
  await until(() => cluster.kubectl(...query) === "");
}

/** On both nodes, before there are Pods: none reaches another. */
async function isolateAll(cluster: TestCluster): Promise<void> {
  await onNodes(cluster, ["--insert", ...ISOLATE]);
}

/** Lets the Pods of one namespace of the probe reach the one that listens, as its policy says. They try for a minute. */
async function admitNear(cluster: TestCluster): Promise<void> {
  for (const name of ["near", "near-again"]) {
    const address = await until(() => {
      const query = ["get", "pods", "-A", "-l", "freehold.dev/probe", "-o", "json"];
      const { items } = JSON.parse(cluster.kubectl(...query)) as { items: ProbePod[] };
      return items.find(({ metadata }) => metadata.name === name)?.status.podIP;
    });
    for (const end of ["--source", "--destination"])
      await onNodes(cluster, ["--insert", "FORWARD", end, address, "--jump", "ACCEPT"]);
  }
}

const ISOLATE = ["FORWARD", "--source", POD_RANGE, "--destination", POD_RANGE, "--jump", "DROP"];

async function onNodes(cluster: TestCluster, rule: string[]): Promise<void> {
  for (const node of ["n1", "n2"]) await cluster.node(node, "run", "iptables", ...rule);
}

interface ProbePod {
  metadata: { name: string };
  status: { podIP?: string };
}
