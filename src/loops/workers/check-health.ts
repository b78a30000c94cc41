// Checks the health of load-balancing endpoints' workers on this machine: an HTTP request to the health
// port, over the same connections as requests. The balancer sends requests to ready workers only.

import type { Duplex } from "node:stream";
import { type Clock, Deadline, LATE, within } from "../../base/clock.ts";
import { guarded } from "../../base/guarded.ts";
import { request } from "../../base/node/http.ts";
import { NotReached } from "../../domain/container/unreachable-port.ts";
import type { Protocol } from "../../domain/protocol.ts";
import {
  type Checked,
  type CheckResult,
  isSameHealth,
  judgeCheck,
  pauseOfStart,
} from "../../domain/serving/health-check.ts";
import type { Serving } from "../../domain/serving/serving.ts";
import type { LiveWorker } from "../../domain/worker/worker.ts";
import type { Driver } from "../../drivers/driver.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { servingWorkersOn } from "../../store/worker/worker.ts";
import { recordHealth } from "../../transactions/serving/record-health.ts";
import type { Loop } from "../engine/loop.ts";

export interface HealthDeps {
  store: Store;
  clock: Clock;
  protocol: Protocol;
  machine: string;
  drivers: Driver[];
}

interface Track {
  misses: number;
  checking: boolean;
  dueAt: number;
}

export function checkHealthLoop(deps: HealthDeps): Loop {
  const tracks = new Map<string, Track>();
  const { clock } = deps;
  return {
    name: "check_health",
    shared: false,
    periodMs: deps.protocol.healthStartingMs,
    restMs: 50,
    topics: [topic.serving, topic.workloads],
    async run() {
      const workers = await deps.store.read(servingWorkersOn, deps.machine);
      const running = workers.filter(({ observed }) => observed === "running");
      const ids = new Set(running.map(({ id }) => id));
      for (const id of tracks.keys()) if (!ids.has(id)) tracks.delete(id);
      for (const worker of running) begin(deps, tracks, worker);
      const due = [...tracks.values()].filter(({ checking }) => !checking);
      if (due.length === 0) return null;
      const nextMs = Math.min(...due.map(({ dueAt }) => dueAt)) - clock.ticks();
      return clock.now() + Math.ceil(nextMs);
    },
  };
}

/** A slow worker does not delay the checks of the others. */
function begin(deps: HealthDeps, tracks: Map<string, Track>, worker: LiveWorker): void {
  const track = tracks.get(worker.id) ?? { misses: 0, checking: false, dueAt: 0 };
  tracks.set(worker.id, track);
  if (track.checking || deps.clock.ticks() < track.dueAt) return;
  track.checking = true;
  void checkOnce(deps, worker, track)
    // The store is unavailable: the next check writes what it finds.
    .catch(() => {})
    .finally(() => {
      track.checking = false;
      deps.store.notifier.notify(topic.serving);
    });
}

async function checkOnce(deps: HealthDeps, worker: LiveWorker, track: Track): Promise<void> {
  const { store, clock, protocol } = deps;
  const result = await check(deps, worker, worker.serving!);
  const now = clock.now();
  const before = { health: worker.health, misses: track.misses };
  const checked: Checked = judgeCheck(before, result, worker.serving!, now);
  track.misses = checked.misses;
  const { health, misses } = checked;
  const isSettled = health.state === "ready" && misses === 0;
  const startingMs = pauseOfStart(now - (worker.startedAt ?? now), protocol.healthStartingMs);
  track.dueAt = clock.ticks() + (isSettled ? protocol.healthReadyMs : startingMs);
  if (!isSameHealth(worker.health, health)) await store.write(recordHealth, worker.id, health, now);
}

async function check(
  { drivers, clock, protocol }: HealthDeps,
  { id, driver: name }: LiveWorker,
  serving: Serving,
): Promise<CheckResult> {
  const driver = drivers.find((each) => each.name === name);
  if (!driver) return { failed: "its driver is not offered any more" };
  const deadline = new Deadline(clock, protocol.healthTimeoutMs);
  const result = await within(deadline, (signal) => ask(driver, id, serving, signal));
  if (result !== LATE) return result;
  return { failed: `no answer within ${protocol.healthTimeoutMs / 1_000} s` };
}

async function ask(
  driver: Driver,
  id: string,
  { healthPort: port, healthPath: path }: Serving,
  signal: AbortSignal,
): Promise<CheckResult> {
  let connection: Duplex;
  try {
    connection = await driver.dial(id, port);
  } catch (error) {
    return { failed: error instanceof NotReached ? error.message : "its engine does not answer" };
  }
  if (signal.aborted) connection.destroy();
  signal.addEventListener("abort", () => connection.destroy(), { once: true });
  try {
    return await statusOf(connection, path, port);
  } finally {
    connection.destroy();
  }
}

/** Reads the head of the answer only. */
function statusOf(connection: Duplex, path: string, port: number): Promise<CheckResult> {
  return new Promise((resolve) => {
    const probe = request({
      createConnection: () => connection,
      path,
      headers: { host: `localhost:${port}`, "user-agent": "freehold-health", connection: "close" },
    });
    probe.on(
      "response",
      guarded("a worker's health check", (answer) => {
        answer.destroy();
        resolve({ status: answer.statusCode! });
      }),
    );
    probe.on("error", () => resolve({ failed: "the connection closed without a valid answer" }));
    probe.end();
  });
}
