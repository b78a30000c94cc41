// A Pod's start, the first byte of a followed log and of a command, beside kubectl on the same node, in alternation.

import { once } from "node:events";
import { setTimeout as realTime } from "node:timers/promises";
import { LABEL } from "../../../src/drivers/kubernetes/names.ts";
import { commandAddress, openCommand } from "../../../test/docker/command.ts";
import type { TestCluster } from "../../../test/fixtures/kubernetes/cluster.ts";
import { IMAGE } from "../../../test/kubernetes/rig.ts";
import { firstByte, kubectl } from "./kubectl.ts";
import type { ClusterService } from "./service.ts";

export interface Beside {
  what: string;
  kubectlMs: number;
  freeholdMs: number;
}

const COMMAND = ["sh", "-c", "echo hello; exec sleep 600"];
const LIMITS = { cpu: "2", memory: "4Gi", "ephemeral-storage": "1G" };
const REST_MS = 1_000;

/** Medians. */
export async function measureBeside(
  cluster: TestCluster,
  service: ClusterService,
  rounds: number,
): Promise<Beside[]> {
  const [starts, podStarts]: [number[], number[]] = [[], []];
  // The first Pod creates the account's namespace.
  for (let n = -1; n < rounds; n++) {
    const bare = await bareStart(cluster, `bare-${n + 1}`);
    const pod = await podStart(cluster, service);
    if (n < 0) continue;
    starts.push(bare);
    podStarts.push(pod);
  }
  const streams = await measureStreams(cluster, service, rounds);
  return [
    { what: "start of a Pod", kubectlMs: median(starts), freeholdMs: median(podStarts) },
    ...streams,
  ];
}

async function bareStart(cluster: TestCluster, name: string): Promise<number> {
  const before = performance.now();
  await runBare(cluster, name);
  const took = performance.now() - before;
  await kubectl(cluster, ["delete", "pod", name, "--grace-period=1"]);
  await realTime(REST_MS);
  return took;
}

async function runBare(cluster: TestCluster, name: string): Promise<void> {
  const main = { name, image: IMAGE, command: COMMAND, imagePullPolicy: "IfNotPresent" };
  const spec = { containers: [{ ...main, resources: { limits: LIMITS } }] };
  const overrides = `--overrides=${JSON.stringify({ spec })}`;
  const run = ["run", name, `--image=${IMAGE}`, "--restart=Never", overrides];
  await kubectl(cluster, run);
  await kubectl(cluster, ["wait", "--for=condition=Ready", `pod/${name}`]);
}

const BODY = {
  computeType: "CPU",
  vcpuCount: 2,
  volumeInGb: 0,
  containerDiskInGb: 1,
  ports: [],
  driver: "kubernetes",
  imageName: IMAGE,
  dockerEntrypoint: [],
  dockerStartCmd: COMMAND,
};

async function podStart(cluster: TestCluster, service: ClusterService): Promise<number> {
  const before = performance.now();
  const id = await rent(service);
  const took = performance.now() - before;
  await service.call("DELETE", `/v1/pods/${id}`);
  // Kubernetes gives its place to another once it is gone.
  const mine = ["get", "pods", "-A", "-l", LABEL.pod, "-o", "name"];
  while ((await kubectl(cluster, mine)) !== "") await realTime(50);
  await realTime(REST_MS);
  return took;
}

/** Resolves once Freehold says that it runs. */
async function rent(service: ClusterService): Promise<string> {
  const { id } = await service.call("POST", "/v1/pods", BODY);
  while (!(await service.call("GET", `/v1/pods/${id}`)).lastStartedAt) await realTime(10);
  return id;
}

async function measureStreams(
  cluster: TestCluster,
  service: ClusterService,
  rounds: number,
): Promise<Beside[]> {
  await runBare(cluster, "streams");
  const id = await rent(service);
  const logs: [number[], number[]] = [[], []];
  const commands: [number[], number[]] = [[], []];
  for (let n = 0; n < rounds; n++) {
    logs[0].push(await firstByte(cluster, ["logs", "--follow", "streams"]));
    logs[1].push(await firstLogByte(service, id));
    commands[0].push(await firstByte(cluster, ["exec", "streams", "--", "sh", "-c", "echo hello"]));
    commands[1].push(await firstCommandByte(service, id));
  }
  await service.call("DELETE", `/v1/pods/${id}`);
  await kubectl(cluster, ["delete", "pod", "streams", "--grace-period=1"]);
  const of = (what: string, [bare, pod]: [number[], number[]]) => {
    return { what, kubectlMs: median(bare), freeholdMs: median(pod) };
  };
  return [
    of("first byte of a followed log", logs),
    of("first byte of a command's output", commands),
  ];
}

async function firstLogByte(service: ClusterService, id: string): Promise<number> {
  const abort = new AbortController();
  const before = performance.now();
  const response = await fetch(`${service.origin}/v1/pods/${id}/logs?follow=true&type=container`, {
    headers: { authorization: `Bearer ${service.key}` },
    signal: abort.signal,
  });
  await response.body!.getReader().read();
  const took = performance.now() - before;
  abort.abort();
  return took;
}

async function firstCommandByte(service: ClusterService, id: string): Promise<number> {
  const before = performance.now();
  const url = commandAddress(service.origin, id, "sh", "-c", "echo hello");
  const command = await openCommand(url, service.key);
  await once(command.socket, "message");
  const took = performance.now() - before;
  await command.closed;
  return took;
}

const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
