// An account comes to pay more through one door: `spend`, which holds the account and counts what is desired.
// Nothing else reads what an account is short of, and nothing starts to cost money without asking.

import assert from "node:assert/strict";
import { test } from "node:test";
import { importsOf, sources } from "./sources.ts";

const DOOR = "src/transactions/money/spend.ts";

/** Reads of what credits and budgets leave, for the door alone. */
const CHECKS = /\b(?:unmeteredRate|budgetsOn)\b/;

/** Calls after which an account pays more than before. */
const STARTS =
  /\b(?:insertPod|replacePod|respecifyPod|insertWorker|insertCluster|meterVolume|startPlan)\(/;

/** A reset keeps the Pod's price; a cluster is paid for before its Pods are inserted. */
const EXCEPTIONS = ["src/flows/pod/move.ts", "src/transactions/cluster/write.ts"];

const all = sources("src").filter(({ testing }) => !testing);

test("only the door checks what an account may spend", () => {
  const others = all.filter(
    ({ file, code }) => file !== DOOR && !file.startsWith("src/store/") && CHECKS.test(code),
  );
  assert.deepEqual(
    others.map(({ file }) => file),
    [],
  );
});

test("nothing that makes an account pay more goes past the door", () => {
  const callers = all.filter(({ code }) => {
    const calls = code.replaceAll(/export function\* \w+\(/g, "");
    return STARTS.test(calls);
  });
  assert.ok(callers.length >= 7, "the pattern finds the callers");
  const past = callers.filter(
    (source) =>
      !EXCEPTIONS.includes(source.file) &&
      !(importsOf(source).some(({ target }) => target === DOOR) && /\bspend\(/.test(source.code)),
  );
  assert.deepEqual(
    past.map(({ file }) => file),
    [],
  );
});
