// Where histories happen: the service or its replicas, what is known of them, what can happen to them, and what must hold.

import { rows, type Tx } from "../../src/store/engine/statement.ts";
import type { Action } from "./actions/action.ts";
import { clockActions } from "./actions/clocks.ts";
import { endpointActions } from "./actions/endpoints.ts";
import { jobActions } from "./actions/jobs.ts";
import { moneyActions } from "./actions/money.ts";
import { podActions } from "./actions/pods.ts";
import { databaseActions, replicaActions } from "./actions/replicas.ts";
import { restartActions, troubleActions } from "./actions/trouble.ts";
import type { Invariant } from "./invariants/invariant.ts";
import { jobInvariants } from "./invariants/jobs.ts";
import { leaseInvariants } from "./invariants/leases.ts";
import { loopInvariants } from "./invariants/loops.ts";
import { meteredTimeInvariants } from "./invariants/metered-times.ts";
import { moneyInvariants } from "./invariants/money.ts";
import { readInvariants } from "./invariants/reads.ts";
import { scheduleInvariants } from "./invariants/schedules.ts";
import { workloadInvariants } from "./invariants/workloads.ts";
import { type Model, newModel } from "./model.ts";
import type { DatabaseServer } from "./world/database.ts";
import { World } from "./world/world.ts";

/** What one history has seen, the next one on the same scene is held to as well. */
export interface Scene {
  world: World;
  model: Model;
  actions: Record<string, Action>;
  invariants: Invariant[];
}

const HOUR_MS = 3_600_000;
/** The longest time without an action. */
export const LONGEST_MS = 240 * HOUR_MS;

/** `replicas` is null for one service on SQLite. */
export async function openScene(
  replicas: number | null,
  server: DatabaseServer | null,
): Promise<Scene> {
  const database = server && (await server.createDatabase());
  const world = new World(flagsFor(replicas), replicas ?? 1, database);
  await world.start();
  const operator = { id: await world.read(firstAccountId), key: world.key };
  const invariants = [
    ...jobInvariants(),
    ...leaseInvariants(),
    ...scheduleInvariants(),
    ...workloadInvariants(),
    ...moneyInvariants(),
    ...readInvariants(),
    ...meteredTimeInvariants(),
    ...loopInvariants(),
  ];
  return { world, model: newModel(operator), actions: actionsFor(replicas), invariants };
}

/** A step without heartbeats loses neither machine nor leadership. */
const WITHOUT_HEARTBEATS = { heartbeatMs: 10_000 * HOUR_MS, machineLostMs: 1_000_000 * HOUR_MS };

const flagsFor = (replicas: number | null) => ({
  proxyListen: "off",
  s3Listen: "off",
  sshListen: "off",
  simulatedGpus: '{"NVIDIA A40": 4, "NVIDIA L4": 3}',
  machine: JSON.stringify({ vcpus: 64, memoryInGb: 256, diskInGb: 2_000 }),
  // Results are kept for longer than the longest step.
  protocol: JSON.stringify({
    keepAsyncMs: 2 * LONGEST_MS,
    ...(replicas === null ? WITHOUT_HEARTBEATS : { heartbeatMs: 10_000, machineLostMs: 180_000 }),
  }),
});

/** What can happen to one service, to replicas, and to a database server. */
const actionsFor = (replicas: number | null): Record<string, Action> => ({
  ...endpointActions,
  ...jobActions,
  ...podActions,
  ...moneyActions,
  ...troubleActions,
  ...clockActions,
  ...((replicas ?? 1) > 1 ? replicaActions : restartActions),
  ...(replicas !== null && databaseActions),
});

function* firstAccountId(): Tx<string> {
  const found = yield* rows<{ id: string }>("select id from account order by created_at limit 1");
  return found[0]!.id;
}
