// Endpoints whose workers behave in every way that the simulated driver knows, and their changes.

import {
  liveEndpoints,
  newName,
  oneIn,
  pick,
  pickAccount,
  type Simulation,
  whole,
} from "../model.ts";
import type { Action } from "./action.ts";

const MAX_ENDPOINTS = 6;

const CRASHING = ["--crash-at-start", "--unhealthy"];

/** Start commands of workers. Those that echo answer with the input of a job. */
const BEHAVIORS = [
  "--echo --job-ms 20000 --stream 3 --progress 2",
  "--echo --job-ms 8000 --concurrency 3",
  "--echo --job-ms 30000 --stop-ms 3000",
  "--echo --job-ms 1000 --post-twice",
  "--echo --job-ms 3000 --refresh-every 4",
  "--echo --job-ms 4000 --start-ms 20000",
  "--echo --job-ms 5000 --crash-during 3",
  "--echo --job-ms 5000 --silent-after 3",
  "--echo --job-ms 3000 --crash-after 2",
  "--echo --job-ms 3000 --ignore-cancel",
  "--echo --job-ms 3000 --ignore-stop",
  "--echo --job-ms 6000 --no-pings",
  "--job-ms 1000 --fail-every 3",
  "--job-ms 1000 --lose-every 4",
  "--job-ms 1000 --malformed-every 3",
  ...CRASHING,
];

/** The second takes longer than many times to live. */
const USUAL = ["--echo --job-ms 2000", "--echo --job-ms 90000"];

export const endpointActions: Record<string, Action> = {
  createEndpoint: { weight: 6, run: createEndpoint },
  updateEndpoint: { weight: 4, run: updateEndpoint },
  deleteEndpoint: { weight: 2, run: deleteEndpoint },
};

async function createEndpoint(simulation: Simulation) {
  if (liveEndpoints(simulation).length >= MAX_ENDPOINTS) return false;
  const { model, coverage } = simulation;
  const account = pickAccount(simulation);
  const behavior = pick(simulation, oneIn(simulation, 3) ? BEHAVIORS : USUAL);
  const template = await simulation.call(account, "POST", "/v1/templates", {
    name: newName(simulation),
    imageName: "simulated",
    isServerless: true,
    driver: "simulated",
    dockerStartCmd: ["simulate", ...behavior.split(" ")],
  });
  if (template.status >= 300) return;
  const compute = oneIn(simulation, 3)
    ? { computeType: "CPU", vcpuCount: 2, cpuFlavorIds: ["cpu3c"] }
    : { gpuTypeIds: ["NVIDIA A40", "NVIDIA L4"], gpuCount: whole(simulation, 1, 2) };
  const endpoint = await simulation.call(account, "POST", "/v1/endpoints", {
    name: newName(simulation),
    templateId: template.json.id,
    ...compute,
    ...scaling(simulation),
  });
  if (endpoint.status >= 300) return;
  coverage.count("worker", behavior);
  // The result of a job that streams is empty: its output are the chunks.
  const echoes = behavior.startsWith("--echo") && !behavior.includes("--stream");
  const crashes = CRASHING.includes(behavior);
  model.endpoints.push({ id: endpoint.json.id, account, echoes, crashes, isDeleted: false });
}

const scaling = (simulation: Simulation) => ({
  workersMin: oneIn(simulation, 8) ? 1 : 0,
  workersMax: whole(simulation, 1, 3),
  idleTimeout: whole(simulation, 5, 120),
});

async function updateEndpoint(simulation: Simulation) {
  const live = liveEndpoints(simulation);
  if (live.length === 0) return false;
  const { id, account } = pick(simulation, live);
  await simulation.call(account, "PATCH", `/v1/endpoints/${id}`, {
    ...scaling(simulation),
    ...(oneIn(simulation, 8) && { workersMin: 0, workersMax: 0 }),
  });
}

/** Before a long time without actions: a loop of crashes shows nothing new after some hours, and costs the most. */
export async function pauseCrashing(simulation: Simulation): Promise<void> {
  for (const { id, account, crashes } of liveEndpoints(simulation))
    if (crashes)
      await simulation.call(account, "PATCH", `/v1/endpoints/${id}`, {
        workersMin: 0,
        workersMax: 0,
      });
}

async function deleteEndpoint(simulation: Simulation) {
  const live = liveEndpoints(simulation);
  if (live.length < 3) return false;
  const endpoint = pick(simulation, live);
  const { status } = await simulation.call(
    endpoint.account,
    "DELETE",
    `/v1/endpoints/${endpoint.id}`,
  );
  if (status < 300) endpoint.isDeleted = true;
}
