// Tests of the reasons to wait: the reason for each set of facts, and that every state has one.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyFleet, type FleetRow, fleetOf, ledger } from "../../../test/samples/fleet.ts";
import { type EndCause, endCauses } from "../container/end-cause.ts";
import type { Fleet, Pause } from "../endpoint/fleet.ts";
import { decideFleet } from "../endpoint/fleet-plan.ts";
import type { WorkerEnding } from "./answer.ts";
import { whyCodes } from "./codes.ts";
import { whyEndpoint } from "./endpoint.ts";
import type { QueueFacts } from "./facts.ts";
import { explainQueue } from "./queue.ts";

interface Row extends FleetRow {
  pause: string;
  code: string;
  sentence: string;
}

/** `pause`: how many jobs are ahead, "low" for a low priority, "budget",
 * "no driver", "no volume", "deleted". */
function factsOf(row: Partial<Row>, more: Partial<QueueFacts> = {}): QueueFacts {
  const fleet = fleetOf(row);
  const pause = row.pause ?? "";
  return {
    fleet,
    plan: decideFleet(fleet),
    deleted: pause.includes("deleted"),
    paused: pauseOf(pause),
    driver: { name: "docker", here: !pause.includes("no driver") },
    mountable: !pause.includes("no volume"),
    passedOver: null,
    ends: [],
    log: null,
    starting: startOf(fleet),
    ahead: Number(/\d+/.exec(pause)?.[0] ?? 0),
    lowPriority: pause.includes("low"),
    ...more,
  };
}

/** A worker that runs and has not called yet. */
function startOf({ workers }: Fleet): NonNullable<QueueFacts["starting"]> | null {
  const first = workers.find(({ state }) => state === "starting");
  if (!first) return null;
  const { id, startedAt, readyAt } = first;
  const unknown = { launchedAt: null, modelsAt: null, pullingAt: null, imageAt: null };
  const program = { processAt: null, loadedAt: null };
  return { id, createdAt: startedAt, ...unknown, ...program, startedAt, readyAt };
}

function pauseOf(pause: string): Pause | null {
  if (pause.includes("no credits")) return { code: "no_credits" };
  if (!pause.includes("budget")) return null;
  return { code: "budget_spent", what: "its budget is spent", until: Date.UTC(2027, 0, 1) };
}

const rows = ledger<Row>(`
  scaler                     | queue           | workers                | backOff        | pause     | code               | sentence
  QUEUE_DELAY 4, 0-3, idle 5 | 1 wait 9s       |                        | ok             | deleted   | endpoint_deleted   | its endpoint was deleted, and its queue is being emptied.
  QUEUE_DELAY 4, 0-0, idle 5 | 1 wait 9s       |                        | ok             | no credits | no_credits        | the account has no credits left, so no worker is started.
  QUEUE_DELAY 4, 0-0, idle 5 | 1 wait 9s       |                        | ok             | budget    | budget_spent       | its budget is spent, so no worker is started before 2027-01-01T00:00:00.000Z.
  QUEUE_DELAY 4, 0-0, idle 5 | 1 wait 9s       |                        | ok             | -         | no_workers_allowed | the endpoint may have no workers: its workersMax is 0.
  QUEUE_DELAY 4, 0-3, idle 5 | 1 wait 9s       |                        | ok             | no driver | driver_missing     | its template needs the driver "docker", which this service does not offer.
  QUEUE_DELAY 4, 0-3, idle 5 | 1 wait 9s       | busy                   | ok             | no driver | driver_missing     | its template needs the driver "docker", which this service does not offer.
  QUEUE_DELAY 4, 0-3, idle 5 | 1 wait 9s       |                        | ok             | no volume | volume_away        | no online machine has its network volume or is in the volume's data center.
  QUEUE_DELAY 4, 0-3, idle 5 | 1 wait 1s       |                        | ok             | -         | worker_asked       | 1 more worker is about to be started.
  QUEUE_DELAY 4, 0-3, idle 5 | 1 wait 3s       | starting@3             | ok             | -         | worker_starting    | worker a was started 3 s ago and has not asked for a job yet.
  QUEUE_DELAY 4, 0-3, idle 5 | 1 wait 0s       | idle@1                 | ok             | -         | worker_ready       | 1 worker is idle and about to take a job.
  QUEUE_DELAY 4, 0-3, idle 5 | 3 wait 1s       | busy busy              | ok             | 2         | scaler_delay       | the endpoint's 2 workers are busy; the scaler adds one once a job has waited 4 s (QUEUE_DELAY), which is in 3 s.
  QUEUE_DELAY 4, 0-3, idle 5 | 3 wait 9s       | busy                   | ok             | 2         | worker_asked       | 1 more worker is about to be started.
  QUEUE_DELAY 4, 0-2, idle 5 | 3 wait 9s       | busy busy              | ok             | 2         | workers_busy       | the endpoint's 2 workers are busy, and workersMax is 2.
  QUEUE_DELAY 4, 0-1, idle 5 | 3 wait 1s       | busy                   | ok             | 2         | workers_busy       | the endpoint's only worker is busy, and workersMax is 1.
  QUEUE_DELAY 4, 0-1, idle 5 | 1 wait 9s       | draining               | ok             | -         | workers_leaving    | 1 worker is still ending and counts against workersMax (1).
  QUEUE_DELAY 4, 0-9, idle 5 | 4 wait 1s       | busy starting@1        | ok             | 3         | scaler_delay       | the endpoint's only worker is busy; the scaler adds one once a job has waited 4 s (QUEUE_DELAY), which is in 3 s.
  REQUEST_COUNT 4, 0-3, idle 5 | 2 wait 9s, 1 run | busy                | ok             | 1         | scaler_satisfied   | the scaler starts one worker for every 4 jobs (REQUEST_COUNT), so 1 busy worker is enough.
  REQUEST_COUNT 1, 0-3, idle 5 | 2 wait 9s, 1 run | busy                | ok             | 1         | worker_asked       | 2 more workers are about to be started.
  QUEUE_DELAY 4, 0-3, idle 5 | 1 low           |                        | ok             | low       | low_priority       | jobs of low priority never add a worker, and the endpoint has none.
  QUEUE_DELAY 4, 0-3, idle 5 | 1 low           | busy                   | ok             | low       | low_priority       | jobs of low priority never add a worker, and the endpoint's only worker is busy.
  QUEUE_DELAY 4, 0-3, idle 5 | 1 low           | idle@1                 | ok             | low       | worker_ready       | 1 worker is idle and about to take a job.
  QUEUE_DELAY 4, 0-3, idle 5 | 1 wait 9s       |                        | backing_off 2s | -         | backing_off        | worker w-1 ended with exit code 1 before it finished a job. The next worker starts in 2 s. This is not a lack of capacity.
  QUEUE_DELAY 4, 0-3, idle 5 | 1 wait 9s       | starting@1             | backing_off -1s | -        | backing_off        | worker w-1 ended with exit code 1 before it finished a job. Another worker is starting. This is not a lack of capacity.
  QUEUE_DELAY 4, 0-3, idle 5 | 1 wait 9s       |                        | crash_loop -1s | -         | crash_loop         | worker w-1 ended with exit code 1 before it finished a job. 3 tries in a row failed. The next worker starts now. This is not a lack of capacity.
  QUEUE_DELAY 4, 0-3, idle 5 | 3 wait 9s       | busy                   | crash_loop 4s  | 2         | crash_loop         | worker w-1 ended with exit code 1 before it finished a job. 3 tries in a row failed. The next worker starts in 4 s. This is not a lack of capacity.
`);

const ended: WorkerEnding = {
  workerId: "w-1",
  endedAt: 0,
  exitCode: 1,
  signal: null,
  unhealthy: null,
};

for (const row of rows) {
  const { scaler, queue, workers, backOff, pause } = row;
  test(`${scaler}: ${queue}, ${workers || "no workers"}, ${backOff}, ${pause}: ${row.code}`, () => {
    const ends = backOff === "ok" ? [] : [ended];
    const { code, sentence } = explainQueue(factsOf(row, { ends }));
    assert.deepEqual([code, sentence], [row.code, row.sentence]);
  });
}

test("a worker whose image is pulled, or that waits for its machine, is no worker that runs", () => {
  const row = { queue: "1 wait 9s", workers: "starting@9" };
  const start = { ...factsOf(row).starting!, startedAt: null };
  const explain = (change: Partial<typeof start>) => {
    const { code, sentence } = explainQueue(factsOf(row, { starting: { ...start, ...change } }));
    return [code, sentence];
  };
  const pullingAt = fleetOf(row).now - 5_000;
  assert.deepEqual(explain({}), ["worker_starting", "worker a has been waiting to start for 9 s."]);
  assert.deepEqual(explain({ launchedAt: pullingAt, pullingAt }), [
    "image_pulling",
    "worker a has been pulling its image for 5 s.",
  ]);
});

test("a worker whose machine's engine is silent does not start, and the job says so", () => {
  const row = { queue: "1 wait 9s", workers: "starting@9" };
  const { code, sentence } = explainQueue(factsOf(row, { silentMachine: "m" }));
  assert.equal(code, "engine_silent");
  assert.match(sentence, /^worker a waits for the container engine of machine m, which /);
});

const crashing = { queue: "1 wait 31s", backOff: "crash_loop 4s" };
const traceback = [
  "Traceback (most recent call last):",
  "ModuleNotFoundError: No module named 'torch'",
];

test("a crash loop names the code, the cause and the next try, and shows the log", () => {
  const ends = ["w-3", "w-2", "w-1"].map((workerId) => ({ ...ended, workerId }));
  const log = { workerId: "w-3", lines: traceback };
  const { sentence, evidence, next } = explainQueue(factsOf(crashing, { ends, log }));
  assert.equal(
    sentence,
    "the last 3 workers ended with exit code 1 (ModuleNotFoundError: No module named 'torch') " +
      "before they finished a job. The next worker starts in 4 s. This is not a lack of capacity.",
  );
  assert.deepEqual(evidence.log, log);
  assert.equal(evidence.ends?.length, 3);
  assert.ok(next?.includes("log"));
});

const endings: [ending: Partial<WorkerEnding>, code: string, part: string][] = [
  [{ exitCode: 137 }, "crash_loop", "ended with exit code 137 before"],
  [
    { exitCode: null, signal: "SIGKILL" },
    "crash_loop",
    "This usually means that the machine ran out of memory.",
  ],
  [{ exitCode: 127 }, "crash_loop", "The start command was not found."],
  [
    { exitCode: null, unhealthy: "A process needs a start command." },
    "start_refused",
    "its workers cannot be started: A process needs a start command. The next worker",
  ],
  [
    { unhealthy: "_memory_check: 1 GB of 4 GB" },
    "workers_unhealthy",
    "worker w-1 could not serve: _memory_check: 1 GB of 4 GB. The next worker",
  ],
];

for (const [ending, code, part] of endings) {
  test(`workers that end with ${JSON.stringify(ending)} are ${code}`, () => {
    const ends = [{ ...ended, ...ending }];
    const reason = explainQueue(factsOf(crashing, { ends }));
    assert.equal(reason.code, code);
    assert.ok(reason.sentence.includes(part), reason.sentence);
  });
}

test("without capacity, the reasons of three machines are listed and the others are counted", () => {
  const passedOver = ["a", "b", "c", "d", "e"].map((machine) => ({
    machine,
    reason: "it is full",
  }));
  const { code, sentence } = explainQueue(factsOf({ queue: "1 wait 9s" }, { passedOver }));
  assert.equal(code, "no_capacity");
  const three = "a: it is full; b: it is full; c: it is full";
  assert.equal(sentence, `no machine can run another worker now (${three}, and 2 more).`);
});

test("where other endpoints come first, the account's part of the machines is given", () => {
  const passedOver = [{ machine: "a", reason: "it is full" }];
  const share = { resource: "gpus" as const, held: 6, total: 8 };
  const explain = (turn: Partial<QueueFacts["turn"]>) => {
    const facts = { passedOver, turn: { share, ownAhead: [], othersAhead: 0, ...turn } };
    return explainQueue(factsOf({ queue: "1 wait 9s" }, facts));
  };
  const full = "no machine can run another worker now; the account uses";
  const rows: [turn: Partial<QueueFacts["turn"]>, sentence: string][] = [
    [{ othersAhead: 1 }, "6 of 8 GPUs, and 1 endpoint of accounts that use no more comes"],
    [
      { othersAhead: 2, share: { resource: "memoryMb", held: 1_536, total: 65_536 } },
      "1.5 of 64 GB of memory, and 2 endpoints of accounts that use no more come",
    ],
    [
      { ownAhead: ["x"], share: { resource: "vcpus", held: 1, total: 1 } },
      "1 of 1 vCPU, and endpoint x of the account, with a longer wait, comes",
    ],
    [
      { othersAhead: 1, ownAhead: ["u", "v", "w", "x"] },
      "6 of 8 GPUs, and 1 endpoint of accounts that use no more and endpoints u, v, w and 1 more of the account, with longer waits, come",
    ],
  ];
  for (const [turn, sentence] of rows) {
    const answer = explain(turn);
    assert.equal(answer.code, "fair_share");
    assert.equal(answer.sentence, `${full} ${sentence} first when a place becomes free.`);
  }
  const aheadOfUs = { endpointsAhead: [], othersAhead: 1 };
  assert.deepEqual(explain({ othersAhead: 1 }).evidence.share, { ...share, ...aheadOfUs });
  assert.equal(explain({}).code, "no_capacity");
  assert.equal(explain({ share: null }).code, "no_capacity");
});

test("every state has a reason, with a complete sentence and the counts behind it", () => {
  fc.assert(
    fc.property(
      anyFleet,
      fc.nat(50),
      fc.boolean(),
      fc.boolean(),
      (fleet, ahead, lowPriority, here) => {
        const plan = decideFleet(fleet);
        const driver = { name: "process", here };
        const nothing = { deleted: false, paused: null, passedOver: null, ends: [], log: null };
        const facts = { fleet, plan, driver, mountable: here, ahead, lowPriority, ...nothing };
        const { code, sentence, evidence } = explainQueue(facts);
        assert.ok(code in whyCodes);
        assert.match(sentence, /^(?!.*(?:undefined|null|NaN|-\d+ )).*\.$/);
        assert.equal(evidence.workers?.workersMax, fleet.policy.workersMax);
        const endpoint = whyEndpoint({ ...facts, ahead: 0 });
        assert.ok(endpoint.code in whyCodes);
        assert.match(endpoint.sentence, /^(?!.*(?:undefined|null|NaN|-\d+ ))[A-Z0-9].*\.$/);
      },
    ),
  );
});

const endpointRows: [Partial<Row>, code: string, sentence: string][] = [
  [
    {},
    "idle",
    "No job waits and none runs. The endpoint has no worker. A new job starts one if none is idle.",
  ],
  [
    { workers: "idle@1 starting@1" },
    "idle",
    "No job waits and none runs. Workers: 1 idle, 1 starting. A new job starts one if none is idle.",
  ],
  [
    { workers: "busy idle@1", queue: "1 run" },
    "serving",
    "1 worker is busy, 1 idle, and no job waits.",
  ],
  [
    { scaler: "QUEUE_DELAY 4, 0-0, idle 5", pause: "no credits" },
    "no_credits",
    "The account has no credits left, so no worker is started.",
  ],
  [
    { scaler: "QUEUE_DELAY 4, 0-0, idle 5" },
    "no_workers_allowed",
    "The endpoint may have no workers: its workersMax is 0.",
  ],
  [
    { queue: "3 wait 31s", workers: "busy", scaler: "QUEUE_DELAY 4, 0-1, idle 5" },
    "workers_busy",
    "3 jobs wait, the oldest for 31 s: the endpoint's only worker is busy, and workersMax is 1.",
  ],
  [
    { queue: "2 low" },
    "low_priority",
    "2 jobs wait: jobs of low priority never add a worker, and the endpoint has none.",
  ],
  [
    { workers: "v2/busy v2/busy busy", queue: "3 run", scaler: "QUEUE_DELAY 4, 0-4, idle 5" },
    "rolling_out",
    "2 workers of an older version are being replaced.",
  ],
  [
    { pause: "deleted", workers: "draining" },
    "endpoint_deleted",
    "Its endpoint was deleted, and its queue is being emptied.",
  ],
];

test("an endpoint whose workersMin cannot start says so, whatever the cause", () => {
  const row = { scaler: "QUEUE_DELAY 4, 1-3, idle 5", backOff: "backing_off 2s" };
  for (const cause of Object.keys(endCauses) as EndCause[]) {
    const refusal = { exitCode: null, unhealthy: "the reason", cause };
    const answer = whyEndpoint(factsOf(row, { ends: [{ ...ended, ...refusal }] }));
    assert.deepEqual([answer.code, answer.next], [cause, endCauses[cause]]);
    assert.match(answer.sentence, /^Its workers cannot be started: the reason\./);
  }
});

for (const [row, code, sentence] of endpointRows) {
  test(`an endpoint with ${JSON.stringify(row)} is ${code}`, () => {
    const answer = whyEndpoint(factsOf(row));
    assert.deepEqual([answer.code, answer.sentence], [code, sentence]);
  });
}
