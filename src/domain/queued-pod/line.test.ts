import assert from "node:assert/strict";
import { test } from "node:test";
import { type InLine, isAllowed, placesFor, requestsAhead, turnOf, type Waiter } from "./line.ts";
import type { Waiting } from "./waiting.ts";

const A40 = "NVIDIA A40";
const H100 = "NVIDIA H100";
const full: Waiting = { code: "no_capacity", sentence: "full" };

function overQuota(
  of: "account" | "project" | "member",
  gpuTypeId: string | null = null,
  measure: "gpus" | "volumeGb" = "gpus",
): Waiting {
  return { code: "quota_exceeded", sentence: "over", limit: { of, measure, gpuTypeId } };
}

const gpus = (...typeIds: string[]) => ({ kind: "GPU", typeIds, count: 1, byStock: false });
const cpus = { kind: "CPU", vcpus: 2, memoryMb: 1 };

interface Options {
  compute?: object;
  places?: string[];
  spot?: boolean;
  volumeInGb?: number;
  account?: string;
  owner?: string | null;
  project?: string | null;
}

function request(options: Options = {}): InLine {
  const { compute = gpus(A40), places = [`m ${A40}`], spot = false, volumeInGb = 0 } = options;
  const { account = "a", owner = "ann", project = null } = options;
  return {
    accountId: account,
    ownerId: owner,
    projectId: project,
    request: { compute, spot } as unknown as InLine["request"],
    volumeInGb,
    isAllowed: true,
    places: new Set(places),
  };
}

const waiter = (waiting: Waiting, options: Options = {}): Waiter => ({
  ...request(options),
  waiting,
});

test("a request passes an earlier one only if that one waits for something else", () => {
  const other = { account: "b", owner: "bob" };
  const cases: [why: string, Waiter, InLine, isAhead: boolean][] = [
    ["the same GPUs", waiter(full), request(other), true],
    ["another type", waiter(full), request({ places: [`m ${H100}`] }), false],
    ["another machine", waiter(full), request({ places: [`n ${A40}`] }), false],
    ["no machine now", waiter(full, { places: [] }), request(), false],
    ["spot behind on-demand", waiter(full), request({ spot: true }), true],
    ["on-demand behind spot", waiter(full, { spot: true }), request(), false],
    ["its own quota", waiter(overQuota("member")), request({ owner: "bob" }), false],
    ["the quota of both", waiter(overQuota("account")), request({ owner: "bob" }), true],
    ["another account's quota", waiter(overQuota("account")), request(other), false],
    [
      "a quota of volumes, without one",
      waiter(overQuota("member", null, "volumeGb")),
      request(),
      false,
    ],
    [
      "a quota of volumes, with one",
      waiter(overQuota("member", null, "volumeGb")),
      request({ volumeInGb: 1 }),
      true,
    ],
    ["its own earlier one", waiter(overQuota("member")), request(), true],
    [
      "the quota of one project",
      waiter(overQuota("project"), { project: "p" }),
      request({ owner: "bob", project: "p" }),
      true,
    ],
    [
      "a quota of another project",
      waiter(overQuota("project"), { project: "p" }),
      request({ owner: "bob", project: "q" }),
      false,
    ],
    ["CPUs and a quota of GPUs", waiter(overQuota("account")), request({ compute: cpus }), false],
    [
      "a quota of another type",
      waiter(overQuota("account", H100)),
      request({ compute: gpus(A40) }),
      false,
    ],
    [
      "a quota of any type",
      waiter(overQuota("account", H100)),
      request({ compute: gpus(), places: [`m ${H100}`] }),
      true,
    ],
    ["credits", waiter({ code: "no_credits", sentence: "" }), request(), true],
    ["others' credits", waiter({ code: "no_credits", sentence: "" }), request(other), false],
    ["a budget", waiter({ code: "budget_spent", sentence: "" }), request(), false],
  ];
  for (const [why, earlier, later, isAhead] of cases) {
    assert.equal(requestsAhead([earlier], later).length, Number(isAhead), why);
  }
});

test("no machine is a place for a request", () => {
  assert.deepEqual(placesFor(request().request, []), new Set());
});

test("a request is tried with its places, except those that earlier ones wait for", () => {
  const both = request({ compute: gpus(A40, H100), places: [`m ${A40}`, `m ${H100}`] });
  const a40 = waiter(full);
  const h100 = waiter(full, { places: [`m ${H100}`] });
  assert.deepEqual(turnOf([], both), { claimed: new Set() });
  assert.deepEqual(turnOf([a40], both), { claimed: new Set([`m ${A40}`]) });
  assert.deepEqual(turnOf([a40, h100], both), { behind: h100 });
  assert.deepEqual(turnOf([a40], request()), { behind: a40 });
  const ofType = waiter(overQuota("account", H100));
  assert.deepEqual(turnOf([ofType], both), { claimed: new Set([`m ${H100}`]) });
  const ofAll = waiter(overQuota("account"));
  assert.deepEqual(turnOf([ofAll], both), { behind: ofAll });
});

test("a request is allowed while the quotas leave one of the types that it accepts", () => {
  const accepts = (typeIds: string[], offered?: string[]) =>
    ({ compute: { ...gpus(...typeIds), typeIds, offered } }) as unknown as InLine["request"];
  const cases: [InLine["request"], ruledOut: string[], boolean][] = [
    [accepts([A40]), [], true],
    [accepts([A40]), [A40], false],
    [accepts([A40, H100]), [A40], true],
    [accepts([], [A40, H100]), [A40], true],
    [accepts([], [A40, H100]), [A40, H100], false],
    [accepts([]), [A40], true],
  ];
  for (const [index, [request, ruledOut, expected]] of cases.entries()) {
    assert.equal(isAllowed(request, ruledOut), expected, `case ${index}`);
  }
});

test("a request within a reservation passes those of others, and none of its holders", () => {
  const ofAccount = { accountId: "a", projectId: null, holder: "" };
  const claim = { ...ofAccount, gpuTypeId: A40, gpuCount: 2, until: 1 };
  const unfilled = (members: string[], missing: number) => {
    return { claim: { ...claim, members: new Set(members) }, missing, isOwn: true };
  };
  const isBehind = (compute: object, ...reserved: ReturnType<typeof unfilled>[]) => {
    const later = { ...request({ compute, owner: "ada" }), reserved };
    return requestsAhead([waiter(full, { owner: "ann" })], later).length > 0;
  };
  assert.equal(isBehind(gpus(A40)), true);
  assert.equal(isBehind(gpus(A40), unfilled(["ada"], 1)), false);
  assert.equal(isBehind(gpus(A40), unfilled(["ada", "ann"], 1)), true);
  const two = { ...gpus(A40), count: 2 };
  assert.equal(isBehind(two, unfilled(["ada"], 1), unfilled(["ada", "ann"], 1)), true);
  assert.equal(isBehind(two, unfilled(["ada"], 1), unfilled(["ada", "bob"], 1)), false);
});
