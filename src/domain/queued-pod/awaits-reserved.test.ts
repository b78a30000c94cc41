import assert from "node:assert/strict";
import { test } from "node:test";
import type { Claim } from "../reservation/reservation.ts";
import { type AwaitingRequest, awaitsReserved } from "./awaits-reserved.ts";

test("a request in line awaits what is reserved for it, and of which it finds too little free", () => {
  const claim: Claim = {
    accountId: "a",
    projectId: null,
    gpuTypeId: "A40",
    gpuCount: 8,
    until: 1_000,
    members: new Set(["ada"]),
    holder: "Ada",
  };
  const spec = {
    computeType: "GPU",
    gpuCount: 8,
    gpuTypeIds: ["A40"],
    interruptible: false,
  } as const;
  const request = {
    accountId: "a",
    memberId: "ada",
    spec,
    waiting: { code: "no_capacity" },
  } as const;
  const others = {
    "of another member": { memberId: "eve" },
    "of the account alone": { memberId: null },
    "of another account": { accountId: "b" },
    "that waits for credits": { waiting: { code: "no_credits" } },
    "for more than is reserved": { spec: { ...spec, gpuCount: 9 } },
    "of another type": { spec: { ...spec, gpuTypeIds: ["H100"] } },
    "of a spot Pod": { spec: { ...spec, interruptible: true } },
    "without GPUs": { spec: { ...spec, computeType: "CPU" } },
  } as const;
  const asRequest = (change: object) => ({ ...request, ...change }) as unknown as AwaitingRequest;
  assert.ok(awaitsReserved(asRequest({}), claim));
  assert.ok(awaitsReserved(asRequest({ spec: { ...spec, gpuTypeIds: [] } }), claim));
  for (const [name, change] of Object.entries(others)) {
    assert.ok(!awaitsReserved(asRequest(change), claim), name);
  }
});
