import assert from "node:assert/strict";
import { test } from "node:test";
import {
  noBackoff,
  type Pod,
  type PodBackoff,
  type PodDesired,
  type PodObserved,
} from "../pod/pod.ts";
import { whyPod } from "./pod.ts";

const NOW = 1_000_000;
const startedAt = NOW - 4_000;
const pod = {
  id: "p",
  desired: {
    state: "RUNNING",
    cause: "created",
    reason: null,
    changedAt: NOW - 5_000,
    stopWhenIdle: null,
    maxLifetime: null,
    runningSince: 0,
    keptUntil: null,
    spec: { sandbox: false },
  },
  cluster: null,
  projectIdle: null,
  exemption: null,
  sharedLifetimes: { project: null, account: null },
  lifetimeWarning: null,
  placement: { machine: "m" },
  observed: { state: "running", startedAt, lastEnd: null },
  backoff: noBackoff,
} as Pod;

/** Fields of the parts of a Pod, and how its container ended last. */
interface Changes {
  desired?: Partial<PodDesired>;
  observed?: PodObserved["state"];
  exitCode?: number;
  backoff?: Partial<PodBackoff>;
}

function podWith({ desired, observed = "running", exitCode, backoff }: Changes): Pod {
  const lastEnd =
    exitCode === undefined ? null : { at: NOW - 1_000, exitCode, signal: null, oom: false };
  return {
    ...pod,
    desired: { ...pod.desired, ...desired },
    observed: { ...pod.observed, state: observed, lastEnd } as PodObserved,
    backoff: { ...noBackoff, ...backoff },
  };
}

const stopped = (cause: PodDesired["cause"], reason: string | null = null): Changes => ({
  desired: { state: "EXITED", cause, reason },
  observed: "none",
});

const rows: [changes: Changes, log: string[], code: string, sentence: RegExp][] = [
  [{}, [], "pod_running", /^Pod p has been running for 4 s\.$/],
  [
    { observed: "starting" },
    [],
    "pod_starting",
    /was started 5 s ago, and its container is not running yet/,
  ],
  [
    { observed: "ended", exitCode: 3, backoff: { startAt: NOW + 2_000 } },
    ["KeyError: 'x'"],
    "pod_backing_off",
    /ended with exit code 3, 1 s ago \(KeyError: 'x'\)\. The container starts again in 2 s\.$/,
  ],
  [
    { observed: "ended", exitCode: 3, backoff: { startAt: NOW + 2_000 } },
    ["ended with exit code 3"],
    "pod_backing_off",
    /ended with exit code 3, 1 s ago\. The container starts again in 2 s\.$/,
  ],
  [
    {
      observed: "none",
      backoff: {
        startAt: NOW + 9_000,
        failedStarts: {
          count: 2,
          since: NOW,
          sentence: "no such image.",
          cause: null,
          engine: null,
        },
      },
    },
    [],
    "pod_start_failing",
    /failed to start 2 times so far: no such image\. The next try is in 9 s\.$/,
  ],
  [stopped("stopped"), [], "pod_stopped", /stopped by a client 5 s ago/],
  [
    { ...stopped("finished"), exitCode: 0 },
    [],
    "pod_finished",
    /p finished .* ago: its container ended with exit code 0\.$/,
  ],
  [
    { ...stopped("gave_up", "it ended 5 times"), exitCode: 127 },
    ["sh: x: not found"],
    "pod_gave_up",
    /it ended 5 times \(sh: x: not found\)\. The start command was not found\.$/,
  ],
  [
    stopped("evicted", "it was interruptible, and another came"),
    [],
    "pod_evicted",
    /stopped 5 s ago: it was interruptible, and another came; its volume is kept\.$/,
  ],
  [
    stopped("budget_spent", "the account's budget b of 5 dollars per day is spent"),
    [],
    "pod_budget_spent",
    /stopped 5 s ago: the account's budget b of 5 dollars per day is spent; its volume is kept\.$/,
  ],
  [
    stopped("stop_after", "its stopAfter time was reached"),
    [],
    "pod_stop_after",
    /stopped 5 s ago: its stopAfter time was reached\.$/,
  ],
];

const facts = {
  online: true,
  inventory: null,
  overdueEndMs: null,
  gpuError: null,
  log: [],
  isOperator: false,
  lenders: [],
};

for (const [changes, log, code, sentence] of rows) {
  test(`why: ${code}`, () => {
    const answer = whyPod({ pod: podWith(changes), ...facts, log }, NOW);
    assert.equal(answer.code, code);
    assert.match(answer.sentence, sentence);
  });
}

test("why: a Pod whose machine is offline", () => {
  assert.equal(whyPod({ pod, ...facts, online: false }, NOW).code, "pod_machine_away");
});

test("why: a Pod of a container whose machine's engine is silent, and no other Pod", () => {
  const inventory = { gpus: [], engineTrouble: "It does not respond." };
  const answerFor = (driver: string, state: "none" | "running") => {
    const placed = { ...podWith({ observed: state }), placement: { ...pod.placement, driver } };
    return whyPod({ pod: placed as Pod, ...facts, inventory }, NOW);
  };
  const waiting = answerFor("docker", "none");
  assert.equal(waiting.code, "engine_silent");
  assert.match(waiting.sentence, /^Pod p waits for the container engine of machine m, which /);
  assert.match(answerFor("docker", "running").sentence, /was running when the container engine/);
  assert.equal(answerFor("process", "none").code, "pod_starting");
});

test("why: a spot Pod's answer names for whom it may be interrupted", () => {
  const running = podWith({ observed: "running" });
  const until = Date.parse("2027-01-01T18:00:00Z");
  const from = until - 3_600_000;
  const active = { gpuTypeId: "A40", lent: 2, holder: "Ada", from: null, until };
  const lenders = [
    active,
    { ...active, lent: 1, from, holder: "another account" },
    { ...active, until: null, holder: "project vision" },
  ];
  const { sentence } = whyPod({ pod: running, ...facts, lenders }, NOW);
  const expected = [
    "Spot Pods borrow 2 A40 that are reserved for Ada until 2027-01-01T18:00:00.000Z, so it may be interrupted at any time.",
    "Spot Pods borrow 1 A40 that is reserved for another account until 2027-01-01T18:00:00.000Z, so it may be interrupted from 2027-01-01T17:00:00.000Z on.",
    "Spot Pods borrow 2 A40 that are guaranteed to project vision, so it may be interrupted at any time.",
  ];
  for (const text of expected) assert.ok(sentence.includes(text), sentence);
});

test("why: only an operator reads the engine's own words, once", () => {
  const engine = "no device at 10.0.0.7";
  const failed = { count: 1, since: NOW, sentence: "the machine cannot start it", cause: null };
  const failedStarts = { ...failed, engine };
  const failing = { ...pod, backoff: { ...pod.backoff, failedStarts } };
  const answerFor = (isOperator: boolean) =>
    whyPod(
      {
        pod: { ...failing, observed: { ...pod.observed, state: "none" } } as Pod,
        ...facts,
        isOperator,
      },
      NOW,
    );
  assert.match(answerFor(true).sentence, /The engine says: no device at 10\.0\.0\.7\.$/);
  assert.ok(!JSON.stringify(answerFor(false)).includes(engine));
});
