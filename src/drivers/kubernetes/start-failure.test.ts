// Tests of the sentences for what Kubernetes says about a Pod that does not start.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DriverUnavailable, StartRefused } from "../driver.ts";
import { redactorOf } from "../redaction.ts";
import { ApiError } from "./client/api-error.ts";
import { unschedulableReason } from "./site/unschedulable.ts";
import { startErrorOf } from "./start-failure.ts";

const affinity = "2 node(s) didn't match Pod's node affinity/selector";
const preemption =
  "preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.";

test("the scheduler's words say what the Pod's node lacks", () => {
  const table: [message: string, reason: string | null][] = [
    [`1 Insufficient nvidia.com/gpu, ${affinity}`, "it has too few free GPUs"],
    [`1 Insufficient amd.com/gpu, ${affinity}`, "it has too few free GPUs"],
    [
      `1 Insufficient cpu, 1 Insufficient memory, ${affinity}`,
      "it has too few free CPUs, and it has too little free memory",
    ],
    [`1 Insufficient ephemeral-storage, ${affinity}`, "it has too little free disk"],
    [
      `1 node(s) had untolerated taint {dedicated: team-a}, ${affinity}`,
      "it has the taint dedicated",
    ],
    [`1 node(s) had untolerated taint {dedicated}, ${affinity}`, "it has the taint dedicated"],
    [`1 node(s) had untolerated taint(s), ${affinity}`, "it has a taint"],
    [`1 node(s) were unschedulable, ${affinity}`, "it is cordoned"],
    [`1 Too many pods, ${affinity}`, "it runs as many Pods as Kubernetes allows"],
    [
      `1 node(s) had volume node affinity conflict, ${affinity}`,
      "its zone or node has not the Pod's volume",
    ],
    [affinity, null],
    [`1 node(s) something new, ${affinity}`, null],
  ];
  for (const [cause, reason] of table) {
    const message = `0/3 nodes are available: ${cause}. ${preemption}`;
    assert.equal(unschedulableReason(message), reason, cause);
  }
});

test("what the API server refuses has an error of its kind", () => {
  const of = (status: number, message: string) =>
    startErrorOf(new ApiError(status, "", message), redactorOf(["s3cret"])) as Error;
  const quota =
    'pods "fh-1" is forbidden: exceeded quota: team, requested: pods=1, used: pods=1, limited: pods=1';
  const full = of(403, quota);
  assert.ok(full instanceof StartRefused && full.why === "no_room");
  assert.equal(
    full.message,
    "The quota of its namespace in Kubernetes is used up: team, requested: pods=1, used: pods=1, limited: pods=1",
  );
  const denied = of(
    403,
    'admission webhook "policy.example.com" denied the request: no s3cret here',
  );
  assert.ok(denied instanceof StartRefused && denied.why === null);
  assert.match(denied.message, /policy\.example\.com refuses the Pod: no \S+ here$/);
  assert.ok(!denied.message.includes("s3cret"));
  assert.ok(of(422, "spec is invalid") instanceof StartRefused);
  assert.ok(of(403, 'User "u" cannot create resource "pods"') instanceof DriverUnavailable);
  const typo = of(403, 'pods "fh-1" is forbidden: no PriorityClass with name spto was found');
  assert.ok(typo instanceof StartRefused);
  assert.match(typo.message, /no PriorityClass with name spto was found$/);
  const deleted = of(
    403,
    "unable to create new content in namespace x because it is being terminated",
  );
  assert.ok(deleted instanceof DriverUnavailable);
  for (const status of [401, 429, 500, 503])
    assert.ok(of(status, "later") instanceof DriverUnavailable);
  const other = new Error("other");
  assert.equal(startErrorOf(other, redactorOf([])), other);
});
