// A label's budget with two replicas on one store: creators, starts and changes of labels at once never pass it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { SkewedClock } from "../fixtures/time/skewed-clock.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { missing } from "../postgres/database.ts";
import { startPair } from "./pair.ts";

const CREATORS = 50;
/** Dollars; two Pods have spent them after a moment. */
const LIMIT = 0.000_001;
const env = { FREEHOLD_MACHINE: JSON.stringify({ vcpus: 512, memoryInGb: 999, diskInGb: 9_000 }) };
const POD = { driver: "simulated", imageName: "i", computeType: "CPU", volumeInGb: 0 };
const VISION = { labels: { team: "vision" } };

test("50 creators on two replicas never pass a label's budget", { skip: missing }, async (t) => {
  // Far from midnight, when a day's budget begins anew.
  const clock = new SkewedClock("2027-03-10T10:05:00Z");
  const { a, b } = await startPair(t, { drivers: "simulated", env, clock });
  const replica = (n: number) => (n % 2 === 0 ? a : b);
  const create = async (n: number, labels: object = VISION) => {
    return replica(n).call("POST", "/v1/pods", { ...POD, ...labels });
  };
  const its = [await create(0), await create(1)];
  const others = await Promise.all(Array.from({ length: 10 }, (_, n) => create(n, {})));
  for (const { json } of [...its, ...others]) await until(podsOf(a).reached, json.id);
  const { json: budget } = await b.call("POST", "/v1/budgets", {
    period: "day",
    limit: 1_000,
    label: "team=vision",
  });
  await until(async () => (await a.call("GET", `/v1/budgets/${budget.id}`)).json.spent > LIMIT);
  // The limit falls below what is spent while they create: each is refused, or stopped with the rest.
  const attempts = Array.from({ length: CREATORS }, async (_, n) => {
    if (n === CREATORS / 2) await b.call("PATCH", `/v1/budgets/${budget.id}`, { limit: LIMIT });
    if (n % 5 !== 4) return create(n);
    const { id } = others[Math.floor(n / 5)]!.json;
    return replica(n).call("PATCH", `/v1/pods/${id}`, VISION);
  });
  for (const { status, text } of await Promise.all(attempts)) {
    if (status >= 300) assert.match(text, /of 0.000001 dollars per day for team=vision is spent/);
  }
  const labeled = async () =>
    (await a.call("GET", "/v1/pods?labels=team=vision")).json as { desiredStatus: string }[];
  await until(
    async () => (await labeled()).every((pod) => pod.desiredStatus !== "RUNNING") || null,
  );
  assert.ok((await labeled()).length >= its.length);

  // From now on nothing gets in, on either replica.
  const { json: plain } = await create(0, {});
  const tries = Array.from({ length: CREATORS }, (_, n) => {
    if (n % 5 === 3) return replica(n).call("POST", `/v1/pods/${its[n % 2]!.json.id}/start`);
    if (n % 5 === 4) return replica(n).call("PATCH", `/v1/pods/${plain.id}`, VISION);
    return create(n);
  });
  for (const { status, json } of await Promise.all(tries)) {
    assert.deepEqual([status, json.code], [402, "budget_spent"]);
  }
});
