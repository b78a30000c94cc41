// The end of a history that others follow on the same replicas.

import { podsOf } from "./actions/pods.ts";
import { restoreReplicas } from "./actions/replicas.ts";
import { switchOffFaults } from "./actions/trouble.ts";
import { liveEndpoints, type Simulation } from "./model.ts";

/** Longer than a loop takes to have another pass, once every loop has a replica that runs it. */
const RECOVERED_MS = 135_000;

/** The trouble is over, and what is late has time to happen. */
export async function recover(simulation: Simulation): Promise<void> {
  simulation.action = "recovery";
  await restoreReplicas(simulation);
  await switchOffFaults(simulation);
  const { world } = simulation;
  await world.pass(Math.max(0, world.orderlySinceTicks - world.ticks) + RECOVERED_MS);
}

/** Only what has ended is left: jobs, usages, the ledger. The next history has accounts of its own beside the operator's. */
export async function deleteAll(simulation: Simulation): Promise<void> {
  simulation.action = "deletion";
  const { model, call } = simulation;
  for (const { id, account } of await podsOf(simulation))
    await call(account, "DELETE", `/v1/pods/${id}`);
  for (const endpoint of liveEndpoints(simulation)) {
    await call(endpoint.account, "DELETE", `/v1/endpoints/${endpoint.id}`);
    endpoint.isDeleted = true;
  }
  for (const { id, account } of model.budgets) await call(account, "DELETE", `/v1/budgets/${id}`);
  for (const { id, account } of model.schedules)
    await call(account, "DELETE", `/v1/schedules/${id}`);
  const inUse = [];
  for (const volume of model.volumes) {
    const { status } = await call(volume.account, "DELETE", `/v1/networkvolumes/${volume.id}`);
    if (status >= 400) inUse.push(volume);
  }
  const [operator] = model.accounts;
  Object.assign(model, { volumes: inUse, budgets: [], schedules: [], accounts: [operator] });
}
