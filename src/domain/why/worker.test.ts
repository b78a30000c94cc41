import assert from "node:assert/strict";
import { test } from "node:test";
import type { WhyCode } from "./codes.ts";
import { type WorkerFacts, whyWorker } from "./worker.ts";

const NOW = 1_800_000_000_000;
const ago = (seconds: number) => NOW - seconds * 1_000;

const worker: WorkerFacts = {
  id: "w-2",
  phase: "idle",
  driver: { name: "process", here: true },
  createdAt: ago(100),
  launchedAt: ago(100),
  modelsAt: null,
  pullingAt: null,
  imageAt: null,
  processAt: null,
  loadedAt: null,
  startedAt: ago(99),
  readyAt: ago(98),
  freedAt: null,
  seenAt: ago(2),
  served: 0,
  jobs: [],
  desireEnd: false,
  endReason: null,
  unhealthy: null,
  ended: null,
  overdueEndMs: null,
  log: [],
  idleTimeoutMs: 5_000,
  startupMs: 420_000,
};

const end = (exitCode: number | null, signal: string | null = null) => ({
  phase: "ended" as const,
  ended: { at: ago(10), exitCode, signal },
});

const loading = { model: "o/n", bytes: 12_300_000_000, downloadedBytes: 5_350_000_000 };

const rows: [facts: Partial<WorkerFacts>, code: WhyCode, sentence: string][] = [
  [
    { phase: "starting", startedAt: null, loading },
    "model_downloading",
    "Worker w-2 is downloading the model o/n: 43% of 12.3 GB.",
  ],
  [
    { phase: "starting", readyAt: null },
    "worker_starting",
    "Worker w-2 was started 99 s ago and has not asked for a job yet; it has 7 min to do so.",
  ],
  [
    { phase: "starting", readyAt: null, startedAt: null, launchedAt: null },
    "worker_starting",
    "Worker w-2 has been waiting to start for 100 s.",
  ],
  [
    { phase: "starting", readyAt: null, startedAt: null, pullingAt: ago(40) },
    "image_pulling",
    "Worker w-2 has been pulling its image for 40 s.",
  ],
  [
    { phase: "starting", readyAt: null, startedAt: null, pullingAt: ago(40), imageAt: ago(3) },
    "worker_starting",
    "Worker w-2 has been starting its container for 3 s.",
  ],
  [
    { phase: "starting", readyAt: null, driver: { name: "docker", here: false } },
    "driver_missing",
    'Worker w-2 cannot be started: this service does not offer the driver "docker".',
  ],
  [
    { phase: "starting", readyAt: null, startedAt: null, silentMachine: "m" },
    "engine_silent",
    "Worker w-2 waits for the container engine of machine m, which does not answer.",
  ],
  [
    {},
    "worker_idle",
    "Worker w-2 has been idle for 98 s; it may end after 5 s without a job. It last called 2 s ago.",
  ],
  [
    { phase: "busy", jobs: ["a", "b"], served: 7 },
    "worker_busy",
    "Worker w-2 has 2 jobs and finished 7 before. It last called 2 s ago.",
  ],
  [
    { phase: "draining", endReason: "a newer version took its place", jobs: ["a"] },
    "worker_draining",
    "Worker w-2 takes no more jobs because a newer version took its place; it still has 1 job.",
  ],
  [
    { phase: "unhealthy", unhealthy: "_cuda_check: no device" },
    "worker_unhealthy",
    "Worker w-2 cannot serve and is being ended: _cuda_check: no device.",
  ],
  [
    { ...end(0), desireEnd: true, endReason: "it was idle for its whole idle timeout", served: 3 },
    "worker_ended",
    "Worker w-2 ended 10 s ago with exit code 0, after 89 s and 3 finished jobs, because it was " +
      "idle for its whole idle timeout.",
  ],
  [
    { ...end(1), desireEnd: true, unhealthy: "_cuda_check: no device" },
    "worker_unhealthy",
    "Worker w-2 ended 10 s ago with exit code 1, after 89 s and 0 finished jobs, because " +
      "_cuda_check: no device.",
  ],
  [
    { ...end(1), log: ["Traceback", "ModuleNotFoundError: torch"] },
    "worker_crashed",
    "Worker w-2 ended by itself 10 s ago with exit code 1, after 89 s and 0 finished jobs " +
      "(ModuleNotFoundError: torch).",
  ],
  [
    end(0),
    "worker_exited",
    "Worker w-2 ended by itself 10 s ago with exit code 0, after 89 s and 0 finished jobs.",
  ],
  [
    end(null, "SIGKILL"),
    "worker_killed",
    "Worker w-2 ended 10 s ago by SIGKILL, after 89 s and 0 finished jobs. This usually " +
      "means that the machine ran out of memory.",
  ],
  [
    end(null),
    "worker_vanished",
    "Worker w-2 ended 10 s ago in an unknown way, after 89 s and 0 finished jobs.",
  ],
  [
    { ...end(null), startedAt: null, unhealthy: "A process needs a start command." },
    "start_refused",
    "Worker w-2 could not be started 10 s ago: A process needs a start command.",
  ],
];

for (const [facts, code, sentence] of rows) {
  test(sentence, () => {
    const answer = whyWorker({ ...worker, ...facts }, NOW);
    assert.deepEqual([answer.code, answer.sentence], [code, sentence]);
  });
}

test("the evidence of a worker is its jobs, its end and its log", () => {
  const { evidence } = whyWorker({ ...worker, ...end(1), log: ["bye"], jobs: ["a"] }, NOW);
  const ending = { workerId: "w-2", endedAt: ago(10), exitCode: 1, signal: null, unhealthy: null };
  assert.deepEqual(evidence, {
    jobs: ["a"],
    ends: [ending],
    log: { workerId: "w-2", lines: ["bye"] },
  });
});
