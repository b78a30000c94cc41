// What Prometheus is told: who may ask, what it says, and that the page and the dashboard name the same.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import type { TestHouse } from "../house.ts";
import { fakeHouse, podsOf, until } from "../pods/stage.ts";
import { makeStranger } from "../stranger.ts";

const docs = path.join(import.meta.dirname, "..", "..", "docs");
const POD = { driver: "fake", imageName: "i", gpuTypeIds: ["NVIDIA A40"], volumeInGb: 0 };

async function scrape(house: TestHouse, headers: Record<string, string> = {}) {
  const answer = await fetch(`${house.origin}/metrics`, { headers });
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    text: await answer.text(),
  };
}

const named = (text: string) =>
  [...new Set([...text.matchAll(/freehold_[a-z_]+/g)].map(([name]) => name))].sort();

test("it tells of jobs, workers, Pods, money, loops and requests", async (t) => {
  const house = await fakeHouse(t);
  const template = { imageName: "i", dockerStartCmd: ["fake-worker"], driver: "fake" as const };
  const endpoint = await house.makeEndpoint({ template, spec: { workersMax: 1 } });
  const idle = await house.makeEndpoint({ spec: { workersMax: 0 } });
  const { json: job } = await house.call("POST", `/v2/${endpoint}/run`, { input: {} });
  for (let n = 0; n < 2; n++) await house.call("POST", `/v2/${idle}/run`, { input: {} });
  const { json: pod } = await house.call("POST", "/v1/pods", POD);
  await until(podsOf(house).reached, pod.id);
  await until(async (id) => {
    const { json } = await house.call("GET", `/v2/${endpoint}/status/${id}`);
    return json.status === "COMPLETED" || null;
  }, job.id);
  const { status, type, text } = await scrape(house);
  assert.deepEqual([status, type], [200, "text/plain; version=0.0.4; charset=utf-8"]);
  for (const line of [
    `freehold_jobs_queued{endpoint="${idle}"} 2`,
    `freehold_jobs_ended_total{endpoint="${endpoint}",outcome="completed"} 1`,
    'freehold_pods{wanted="RUNNING",observed="running"} 1',
    'freehold_machines{online="true"} 1',
    "freehold_budgets_spent 0",
    'freehold_http_requests_total{method="POST",route="/v1/pods",status="2xx"} 1',
  ]) {
    assert.ok(text.split("\n").includes(line), `${line} is not in\n${text}`);
  }
  assert.match(text, /^freehold_loop_turns_total\{loop="meter"\} [1-9]/m);
  assert.match(text, /^freehold_loop_errors_total\{loop="meter"\} 0$/m);
  for (const each of ["turns", "calls", "turn_seconds"]) {
    const told = new RegExp(`^freehold_store_${each}_total (\\S+)$`, "m").exec(text);
    assert.ok(Number(told?.[1]) > 0, each);
  }
  assert.match(text, /^freehold_store_turns_failed_total 0$/m);
  const spend = /^freehold_spend_dollars_per_hour (\S+)$/m.exec(text);
  assert.ok(Number(spend?.[1]) > 0.44, spend?.[0]);
  for (const line of text.trimEnd().split("\n")) {
    assert.match(
      line,
      /^(?:# (?:HELP|TYPE) freehold_\w+ .+|freehold_\w+(?:\{[^}]*\})? [-\d.e+]+)$/,
    );
  }
  assert.ok(!text.includes(house.key), "no key is told");
  const page = named(readFileSync(path.join(docs, "metrics.md"), "utf8"));
  assert.deepEqual(page, named(text), "docs/metrics.md");
  const dashboard = readFileSync(path.join(docs, "grafana", "freehold.json"), "utf8");
  assert.deepEqual(named(dashboard), named(text), "docs/grafana/freehold.json");
});

test("it is the operator's: another account's key is refused, and a wrong one", async (t) => {
  const house = await fakeHouse(t);
  assert.equal((await scrape(house)).status, 200);
  assert.equal((await scrape(house, { authorization: `Bearer ${house.key}` })).status, 200);
  assert.equal((await scrape(house, await makeStranger(house))).status, 403);
  assert.equal((await scrape(house, { authorization: "Bearer fh_wrong" })).status, 401);
});

test("who does not sit at this machine, such as a container on it, needs a key", async (t) => {
  const house = await fakeHouse(t);
  const ask = async (remoteAddress: string, headers: Record<string, string> = {}) => {
    const request = { url: "/metrics", remoteAddress, headers: { host: "freehold", ...headers } };
    return (await house.house.app.inject(request)).statusCode;
  };
  assert.equal(await ask("127.0.0.1"), 200);
  assert.equal(await ask("172.18.0.2"), 401);
  assert.equal(await ask("172.18.0.2", { authorization: `Bearer ${house.key}` }), 200);
});
