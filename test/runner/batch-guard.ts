// Fails the next test of a batch if a test or an import has changed what all files of the process share. A batch imports
// it first.

import assert from "node:assert/strict";
import { after, beforeEach } from "node:test";

/** What test files of one process could pass on to each other, beside modules. */
function shared() {
  return {
    environment: { ...process.env },
    folder: process.cwd(),
    globals: Object.getOwnPropertyNames(globalThis).sort(),
    replaceable: [Date, Date.now, Math.random],
    listeners: ["exit", "uncaughtException", "unhandledRejection", "SIGINT", "SIGTERM"].map(
      (event) => process.listenerCount(event),
    ),
    timeZone: new Date(0).getTimezoneOffset(),
    handles: process.getActiveResourcesInfo().filter((each) => !/Pipe|Immediate|TTY/.test(each)),
  };
}

let before: ReturnType<typeof shared> | null = null; // read when the test runner has added its own listeners
let last = "an import";
const compare = () => {
  before ??= shared();
  assert.deepEqual(shared(), before, `state of the process was left by: ${last}`);
};
beforeEach((t) => {
  if (t.fullName !== t.name) return;
  compare();
  last = t.name;
});
after(compare);
