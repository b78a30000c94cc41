// A test waits for a condition, and lets the service's time pass with its virtual clock; a pause of a fixed length decides
// no result, because a loaded machine makes any length too short.

import assert from "node:assert/strict";
import { test } from "node:test";
import { identifiersOf } from "./identifiers.ts";
import { importsOf, type Source, sourceOf, sources } from "./sources.ts";

const PACE = "test/fixtures/time/pace.ts";

/** The files that pause, and why no result depends on how long. */
const paused: [file: RegExp, why: string][] = [
  [/^test\/fixtures\/until\.ts$/, "polls"],
  [/^test\/fixtures\/docker\/docker-driver-harness\.ts$/, "polls"],
  [/^src\/drivers\/(?:kubernetes|process)\/[a-z]+-driver\.test\.ts$/, "polls"],
  [/^test\/crash\/(?:clients|connection|workers)\.ts$/, "the pace of clients and workers"],
  [/^test\/faults\/scene\.ts$/, "the pace at which a load grows"],
  [/^test\/console\/long-list\.test\.ts$/, "the pace at which jobs arrive"],
  [/^test\/queue\/leases\.test\.ts$/, "the pace of a worker's pings"],
  [/^test\/boot\/slow-worker\.ts$/, "the length of a job"],
  [/^test\/docker\/logs\.test\.ts$/, "the pace of a reader"],
  [/^test\/proxy\/large\.test\.ts$/, "the pace of a reader"],
  [/^test\/proxy\/(?:plain|reuse)\.test\.ts$/, "pieces that should arrive apart"],
  [/^test\/crash\/(?:batches\.test|run)\.ts$/, "the instant of a kill"],
  [/^test\/backup\/restore\.test\.ts$/, "the instant of a kill"],
  [/^test\/boot\/restart\.test\.ts$/, "the instant of a kill"],
  [/^test\/docker\/gang-kills\.test\.ts$/, "the instant of a kill"],
  [/^test\/kubernetes\/kills\.test\.ts$/, "the instant of a kill"],
  [
    /^test\/faults\/(?:database|database\.test|partition\.test|replica-killed\.test)\.ts$/,
    "the length of an outage",
  ],
  [/^test\/replicas\/clock\.test\.ts$/, "the pace of pings, for longer than a lease"],
  [
    /^test\/simulator\/(?:history|world\/settle)\.ts$/,
    "what a database server passes on by itself",
  ],
];

/** A timer of another use than a pause. */
const timed: [file: string, why: string][] = [
  [PACE, "the pause itself"],
  ["test/properties/raw-http.ts", "ends the wait for a reply that a held request never gets"],
];

const tests = sources("test", "src", "bench", "sim").filter(
  ({ file, testing }) => testing || file.startsWith("test/"),
);

test("no test pauses for a fixed time, but for a list of paces, kills and outages", () => {
  assert.deepEqual(pauses(tests), []);
});

test("every exception is in use", () => {
  const pacing = tests.filter(usesPace).map(({ file }) => file);
  const setting = tests.filter(setsTimer).map(({ file }) => file);
  const unused = [
    ...paused.filter(([pattern]) => !pacing.some((file) => pattern.test(file))),
    ...timed.filter(([file]) => !setting.includes(file)),
  ];
  assert.deepEqual(unused, []);
});

test("a pause is detected, however it is written, and a program in a string is none", () => {
  const detected = (text: string) => pauses([sourceOf("test/x/x.test.ts", text)]).length > 0;
  for (const text of [
    "await new Promise((resolve) => setTimeout(resolve, 100));\n",
    'import { setTimeout as sleep } from "node:timers/promises";\n',
    'import { scheduler } from "node:timers/promises";\n',
    'import { pauseMs } from "../fixtures/time/pace.ts";\n',
    "Atomics.wait(cell, 0, 0, 100);\n",
  ])
    assert.ok(detected(text), text);
  assert.ok(!detected('const worker = "setTimeout(() => {}, 1000)";\n'));
  assert.ok(!detected('import { setImmediate } from "node:timers/promises";\n'));
});

function pauses(files: Source[]): string[] {
  return files
    .filter((source) => {
      const { file } = source;
      const mayPause = paused.some(([pattern]) => pattern.test(file));
      const maySetTimer = timed.some(([name]) => name === file);
      return (usesPace(source) && !mayPause) || (setsTimer(source) && !maySetTimer);
    })
    .map(({ file }) => file);
}

const usesPace = (source: Source) => importsOf(source).some(({ target }) => target === PACE);

function setsTimer({ code }: Source): boolean {
  const identifiers = identifiersOf(code);
  return ["setTimeout", "setInterval", "scheduler", "Atomics"].some((name) =>
    identifiers.has(name),
  );
}
