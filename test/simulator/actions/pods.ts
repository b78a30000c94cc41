// Pods and network volumes: created, moved through their states, and ended from within.

import { checkCreditsLast } from "../invariants/credits.ts";
import { newName, oneIn, pick, pickAccount, type Simulation, whole } from "../model.ts";
import type { Action } from "./action.ts";

const MAX_PODS = 8;
const MAX_VOLUMES = 3;

export const podActions: Record<string, Action> = {
  createPod: { weight: 14, run: createPod },
  createPods: { weight: 3, run: createPods },
  movePod: { weight: 10, run: movePod },
  endContainer: { weight: 4, run: endContainer },
  createVolume: { weight: 1, run: createVolume },
  deleteVolume: { weight: 1, run: deleteVolume },
};

export async function podsOf(simulation: Simulation) {
  const lists = [];
  for (const account of simulation.model.accounts) {
    const { status, json } = await simulation.call(account, "GET", "/v1/pods");
    if (status === 200) lists.push(...json.map(({ id }: { id: string }) => ({ id, account })));
  }
  return lists as { id: string; account: Simulation["model"]["accounts"][number] }[];
}

async function createPod(simulation: Simulation) {
  if ((await podsOf(simulation)).length >= MAX_PODS) return false;
  const account = pickAccount(simulation);
  const { status } = await simulation.call(account, "POST", "/v1/pods", drawPod(simulation));
  if (status === 201) await checkCreditsLast(simulation, account);
}

/** Several at the same time, with the same credits. */
async function createPods(simulation: Simulation) {
  const { world, model } = simulation;
  const account = model.accounts.at(-1)!;
  if (account === model.accounts[0] || (await podsOf(simulation)).length >= MAX_PODS) return false;
  const answers = await Promise.all(
    [drawPod(simulation), drawPod(simulation)].map((pod) =>
      world.send("POST", "/v1/pods", pod, account.key),
    ),
  );
  await world.settle();
  if (answers.some(({ status }) => status === 201)) await checkCreditsLast(simulation, account);
}

/** Some images are pulled for minutes, in which the Pod may be stopped or deleted. */
function drawPod(simulation: Simulation) {
  const { now } = simulation.world;
  const within = () => new Date(now + 1_000 * whole(simulation, 30, 86_400)).toISOString();
  return {
    name: newName(simulation),
    imageName: "simulated",
    driver: "simulated",
    ...(oneIn(simulation, 4) && {
      dockerStartCmd: ["simulate", "--pull-ms", String(1_000 * whole(simulation, 10, 600))],
    }),
    ...(oneIn(simulation, 4)
      ? { computeType: "CPU", vcpuCount: 2, cpuFlavorIds: ["cpu3c"] }
      : { gpuTypeIds: [pick(simulation, GPU_TYPES)], gpuCount: whole(simulation, 1, 2) }),
    volumeInGb: pick(simulation, [0, 0, 20]),
    containerDiskInGb: pick(simulation, [5, 50]),
    ...(oneIn(simulation, 4) && { interruptible: true }),
    ...(oneIn(simulation, 4) && { stopAfter: within() }),
    ...(oneIn(simulation, 4) && { terminateAfter: within() }),
    ...(oneIn(simulation, 6) && { ports: ["8888/http", "22/tcp"] }),
  };
}

const GPU_TYPES = ["NVIDIA A40", "NVIDIA L4"];

async function movePod(simulation: Simulation) {
  const pods = await podsOf(simulation);
  if (pods.length === 0) return false;
  const { id, account } = pick(simulation, pods);
  const operation = pick(simulation, [
    "stop",
    "start",
    "restart",
    "reset",
    "delete",
    "stop",
    "delete",
  ]);
  const { status } =
    operation === "delete"
      ? await simulation.call(account, "DELETE", `/v1/pods/${id}`)
      : await simulation.call(account, "POST", `/v1/pods/${id}/${operation}`);
  simulation.coverage.count("status", `pod ${operation} ${status}`);
}

/** A container or a worker ends by itself, is killed from outside, or hangs. */
async function endContainer(simulation: Simulation) {
  const { driver } = pick(simulation, simulation.world.serving);
  const running = (await driver.list()).filter(({ state }) => state === "running");
  if (running.length === 0) return false;
  const { id } = pick(simulation, running);
  const [name, command] = pick(simulation, Object.entries(ENDS));
  driver.control(id, command);
  simulation.coverage.count("workload", name);
  simulation.trace(`${name} ${id}`);
}

const ENDS = {
  "exits with 0": { exitNow: 0 },
  "exits with 1": { exitNow: 1 },
  "is killed": { killNow: "SIGKILL" },
  hangs: { silent: true },
  "wakes up": { silent: false },
};

async function createVolume(simulation: Simulation) {
  const { model } = simulation;
  if (model.volumes.length >= MAX_VOLUMES) return false;
  const account = pick(simulation, model.accounts);
  const size = whole(simulation, 10, 1_500);
  const body = { name: newName(simulation), size, dataCenterId: "EU-RO-1" };
  const { status, json } = await simulation.call(account, "POST", "/v1/networkvolumes", body);
  if (status < 300) model.volumes.push({ id: json.id, account });
}

async function deleteVolume(simulation: Simulation) {
  const { model } = simulation;
  if (model.volumes.length === 0) return false;
  const { id, account } = pick(simulation, model.volumes);
  const { status } = await simulation.call(account, "DELETE", `/v1/networkvolumes/${id}`);
  if (status < 300) model.volumes = model.volumes.filter((each) => each.id !== id);
}
