// A service with a cluster: what its Pods and workers run, and how the tests see both sides.

import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import type { TestContext } from "node:test";
import type { Machine } from "../../src/contract/rest-v1/machine/machine.ts";
import { ANNOTATION } from "../../src/drivers/kubernetes/names.ts";
import type { PodObject } from "../../src/drivers/kubernetes/pod/pod-view.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { ensureImage, sharedEngine } from "../fixtures/docker/engine.ts";
import type { TestCluster } from "../fixtures/kubernetes/cluster.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

export type Caller = Pick<TestService, "call">;

/** With bash and Node. */
export const IMAGE = "freehold-test-node-shell:1";

/** Takes jobs and doubles their `n`; a job with `hold` is kept until a file of that name exists. */
export const WORKER = `
const { RUNPOD_AI_API_KEY: key, RUNPOD_WEBHOOK_GET_JOB: take, RUNPOD_WEBHOOK_POST_OUTPUT: post } = process.env;
const { existsSync } = await import("node:fs");
const headers = { authorization: key };
process.on("SIGTERM", () => process.exit(0));
for (;;) {
  const answer = await fetch(take, { headers }).catch(() => null);
  if (answer?.status !== 200) { await new Promise((resolve) => setTimeout(resolve, 100)); continue; }
  const { id, input } = await answer.json();
  while (input.hold && !existsSync(input.hold)) await new Promise((resolve) => setTimeout(resolve, 50));
  const body = JSON.stringify({ output: { doubled: input.n * 2 } });
  await fetch(post.replace("$ID", id), { method: "POST", headers, body }).catch(() => {});
}`;

/** Loads the image of the tests on all nodes. */
export async function loadImage(cluster: TestCluster): Promise<void> {
  const engine = await sharedEngine();
  const programs = ["bash", "sh", "cat", "stty", "sleep"];
  const image = ensureImage(engine, IMAGE, () => [
    ...programs.map((program): [string, string] => [program, `/usr/bin/${program}`]),
    ["node", process.execPath],
  ]);
  await cluster.load(engine, image);
}

/** Leads the port that Pods reach to a service. */
export async function leadTo(
  t: TestContext,
  cluster: TestCluster,
  originOf: () => string,
): Promise<void> {
  const server = createServer((socket) => {
    const { hostname, port } = new URL(originOf());
    const there = connect(Number(port), hostname);
    for (const [from, to] of [
      [socket, there],
      [there, socket],
    ] as const) {
      from.on("error", () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(cluster.reachPort, "127.0.0.1", resolve));
  addCleanup(t, async () => void server.close());
}

export const machinesOf = async (service: Caller) =>
  (await service.call("GET", "/v1/machines")).json as Machine[];

/** Adds the cluster, and returns its id and its nodes by name once `count` are online. */
export async function addCluster(
  service: Caller,
  { kubeconfig }: TestCluster,
  count: number,
  more: object = {},
) {
  const added = await service.call("POST", "/v1/machines", { kubeconfig, name: "lab", ...more });
  assert.equal(added.status, 201, added.text);
  const { id } = added.json as Machine;
  const nodes = await until(async () => {
    const found = (await machinesOf(service)).filter((each) => each.cluster === id);
    return found.length === count && found.every(({ online }) => online) ? found : null;
  });
  return { id, added, nodes: new Map(nodes.map((node) => [node.name!, node])) };
}

/** What a Pod is refused with until there is room for it. */
export const NO_PLACE = new Set(["not_offered", "no_capacity"]);
const SLEEP = "trap 'echo bye; exit 0' TERM; echo hello; sleep 1000 & wait";

/** Creates a Pod as soon as there is room for it, and returns its id. */
export async function createPod(service: Caller, body: object = {}): Promise<string> {
  return until(async () => {
    const { json, text } = await service.call("POST", "/v1/pods", {
      computeType: "CPU",
      vcpuCount: 2,
      volumeInGb: 0,
      containerDiskInGb: 1,
      ports: [],
      driver: "kubernetes",
      imageName: IMAGE,
      dockerEntrypoint: ["bash", "-c"],
      dockerStartCmd: [SLEEP],
      ...body,
    });
    if (!json.id && !NO_PLACE.has(json.code)) throw new Error(text);
    return json.id as string | undefined;
  });
}

/** The Pod once its log has the line as often as given. */
export async function untilSays(service: Caller, id: string, line: string, times = 1) {
  await until(async () => {
    const { json } = await service.call("GET", `/v1/pods/${id}/logs`);
    if (!Array.isArray(json)) return false;
    return json.filter((each: { text: string }) => each.text === line).length >= times;
  });
  return (await service.call("GET", `/v1/pods/${id}`)).json;
}

export type KubernetesPod = PodObject & { spec: { nodeName?: string } };

/** What `kubectl get pods` knows of a Pod or a worker. */
export const objectsOf = (cluster: TestCluster, id: string) =>
  (JSON.parse(cluster.kubectl("get", "pods", "-A", "-o", "json")).items as KubernetesPod[]).filter(
    ({ metadata }) => metadata.annotations?.[ANNOTATION.workload] === id,
  );

/** An endpoint whose workers double numbers. */
export const makeEndpoint = (service: TestService, spec: object = {}) =>
  service.makeEndpoint({
    template: {
      imageName: IMAGE,
      driver: "kubernetes",
      dockerEntrypoint: ["node"],
      dockerStartCmd: ["--input-type=module", "-e", WORKER],
    },
    spec: { computeType: "CPU", vcpuCount: 2, workersMin: 0, workersMax: 1, ...spec },
  });

export const ended = (service: Caller, endpoint: string, job: string) =>
  until(async () => {
    const { json } = await service.call("GET", `/v2/${endpoint}/status/${job}`);
    return json.status === "COMPLETED" || json.status === "FAILED" ? json : null;
  });
