// Trouble of replicas and of their database: a replica stops, is killed or is cut off, also in the middle of calls, and
// comes back; the database restarts.

import { yieldToEventLoop } from "../../../src/base/clock.ts";
import { row } from "../../../src/store/engine/statement.ts";
import { until } from "../../fixtures/until.ts";
import { liveEndpoints, oneIn, pick, type Simulation, whole } from "../model.ts";
import type { Replica } from "../world/replica.ts";
import type { World } from "../world/world.ts";
import type { Action } from "./action.ts";
import { submit } from "./jobs.ts";

/** Another replica takes over within this, once it has missed the heartbeats. */
const TAKEN_OVER_MS = 120_000;
const MAX_UNDER_WAY = 5;

export const replicaActions: Record<string, Action> = {
  stopReplica: { weight: 1, run: (simulation) => endReplica(simulation, "stop") },
  killReplica: { weight: 2, run: (simulation) => endReplica(simulation, "kill") },
  startReplica: { weight: 8, run: startReplica },
  cutOffReplica: { weight: 2, run: cutOffReplica },
  reconnectReplica: { weight: 8, run: reconnectReplica },
  freezeReplica: { weight: 2, run: freezeReplica },
  thawReplica: { weight: 8, run: thawReplica },
};

export const databaseActions: Record<string, Action> = {
  restartDatabase: { weight: 1, run: restartDatabase },
  failOver: { weight: 2, run: failOver },
  loseAnswers: { weight: 2, run: loseAnswers },
};

async function endReplica(simulation: Simulation, how: "stop" | "kill") {
  const { world } = simulation;
  if (world.serving.length < 2) return false;
  const replica = pick(simulation, world.serving);
  await amidCalls(simulation, () => replica[how]());
  world.disturb(TAKEN_OVER_MS);
}

async function startReplica(simulation: Simulation) {
  const { world } = simulation;
  const down = world.replicas.filter(({ isUp }) => !isUp);
  if (down.length === 0) return false;
  await pick(simulation, down).start();
  world.disturb(TAKEN_OVER_MS);
}

async function cutOffReplica(simulation: Simulation) {
  const { world } = simulation;
  if (world.serving.length < 2) return false;
  const replica = pick(simulation, world.serving);
  await amidCalls(simulation, async () => replica.cutOff());
  world.disturb(TAKEN_OVER_MS);
}

async function reconnectReplica(simulation: Simulation) {
  const { world } = simulation;
  const cutOff = world.replicas.filter(({ isCut }) => isCut);
  if (cutOff.length === 0) return false;
  pick(simulation, cutOff).reconnect();
  world.disturb(TAKEN_OVER_MS);
}

/** Stands still until it is thawed, which may be later than all of its leases. */
async function freezeReplica(simulation: Simulation) {
  const { world } = simulation;
  if (world.serving.length < 2) return false;
  const replica = pick(simulation, world.serving);
  await amidCalls(simulation, async () => replica.freeze());
  world.disturb(TAKEN_OVER_MS);
}

async function thawReplica(simulation: Simulation) {
  const { world } = simulation;
  const frozen = world.replicas.filter(({ isFrozen }) => isFrozen);
  if (frozen.length === 0) return false;
  pick(simulation, frozen).thaw();
  await world.settle();
  world.disturb(TAKEN_OVER_MS);
}

/** Every replica serves, and its engine's clock is right. */
export async function restoreReplicas({ world }: Simulation): Promise<void> {
  for (const replica of world.replicas) {
    replica.setEngineLead(0);
    if (replica.serves) continue;
    if (replica.isUp) {
      replica.reconnect();
      replica.thaw();
      await world.settle();
    } else await replica.start();
    world.disturb(TAKEN_OVER_MS);
  }
}

/** What a replica commits for a while, it takes for failed: the answers are lost. */
async function loseAnswers(simulation: Simulation) {
  const { world } = simulation;
  const replica = pick(simulation, world.serving);
  replica.loseAnswers(true);
  await amidCalls(simulation, () => world.pass(1_000 * whole(simulation, 1, 30)));
  replica.loseAnswers(false);
  world.disturb(TAKEN_OVER_MS);
}

async function restartDatabase(simulation: Simulation) {
  const { world } = simulation;
  const { server } = world.database!;
  if (oneIn(simulation, 2)) await amidCalls(simulation, () => server.restart());
  else await server.restart();
  await untilReconnected(world);
}

/** The primary crashes, and a standby with all of its commits takes its place for good. */
async function failOver(simulation: Simulation) {
  const { world } = simulation;
  await amidCalls(simulation, await world.database!.server.prepareFailover());
  await untilReconnected(world);
}

async function untilReconnected(world: World): Promise<void> {
  for (const { running } of world.serving) await untilAvailable(running.service.store);
  world.disturb(TAKEN_OVER_MS);
}

/** Some calls are answered; what became of the others is unknown. */
export async function amidCalls(
  simulation: Simulation,
  trouble: () => Promise<void>,
): Promise<void> {
  const { world } = simulation;
  const live = liveEndpoints(simulation);
  const call: Simulation["call"] = async ({ key }, method, address, body) =>
    world
      .send(method, address, body, key)
      .catch(() => ({ status: 0, json: undefined, fault: null }));
  const underWay = live.length === 0 ? 0 : whole(simulation, 0, MAX_UNDER_WAY);
  const calls = Array.from({ length: underWay }, () =>
    submit(simulation, pick(simulation, live), call),
  );
  for (let left = whole(simulation, 0, 20); left > 0; left--) await yieldToEventLoop();
  await trouble();
  await Promise.all(calls);
  await world.settle();
}

async function untilAvailable(store: Replica["running"]["service"]["store"]): Promise<void> {
  await until(async () => {
    try {
      await store.read(one);
      await store.write(one);
      return true;
    } catch {
      return false;
    }
  });
}

function* one() {
  return yield* row("select 1 as one");
}
