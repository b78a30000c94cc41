// /metrics: who may read it, what it contains, and that its page and the dashboard name the same metrics.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { certificateFolder, makeCertificate } from "../fixtures/service/certificate.ts";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const docs = path.join(import.meta.dirname, "..", "..", "docs");
const POD = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"], volumeInGb: 0 };

async function scrape(service: TestService, headers: Record<string, string> = {}) {
  const answer = await fetch(`${service.origin}/metrics`, { headers });
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    text: await answer.text(),
  };
}

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

/** Each metric with its type, as the scrape declares them. */
const metricTypes = (text: string) =>
  sorted([...text.matchAll(/^# TYPE (\S+ \S+)$/gm)].map(([, metric]) => metric!));

/** Each metric with its type, as the rows of the page's table name them. */
const documentedTypes = (page: string) =>
  sorted(
    [...page.matchAll(/^\| `(freehold_\w+)` \| (\w+) \|/gm)].map((row) => `${row[1]} ${row[2]}`),
  );

/** Each label name of each metric with samples; `le` is a histogram's own. */
function labelNames(text: string): Map<string, string> {
  const samples = text.matchAll(/^(freehold_\w+?)(?:_bucket|_sum|_count)?(?:\{(.*)\})? \S+$/gm);
  return new Map(
    [...samples].map(([, metric, labels = ""]) => {
      const names = [...labels.matchAll(/(\w+)="/g)].map(([, name]) => name!);
      return [metric!, sorted(names.filter((name) => name !== "le")).join(", ")];
    }),
  );
}

test("a scrape has jobs, workers, Pods, money, loops, commits and requests", async (t) => {
  const service = await simulatedService(t);
  const template = { imageName: "i", dockerStartCmd: ["simulate"], driver: "simulated" as const };
  const endpoint = await service.makeEndpoint({ template, spec: { workersMax: 1 } });
  const idle = await service.makeEndpoint({ spec: { workersMax: 0 } });
  const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  for (let n = 0; n < 2; n++) await service.call("POST", `/v2/${idle}/run`, { input: {} });
  const keyed = await service.makeEndpoint({ spec: { workersMax: 0 } });
  const policy = { concurrency: { key: "k", limit: 1 } };
  for (let n = 0; n < 4; n++) await service.call("POST", `/v2/${keyed}/run`, { input: {}, policy });
  const { json: pod } = await service.call("POST", "/v1/pods", POD);
  await until(podsOf(service).reached, pod.id);
  await until(async (id) => {
    const { json } = await service.call("GET", `/v2/${endpoint}/status/${id}`);
    return json.status === "COMPLETED" || null;
  }, job.id);
  const { status, type, text } = await scrape(service);
  assert.deepEqual([status, type], [200, "text/plain; version=0.0.4; charset=utf-8"]);
  for (const line of [
    `freehold_jobs_queued{endpoint="${idle}"} 2`,
    `freehold_jobs_ended_total{endpoint="${endpoint}",outcome="completed"} 1`,
    'freehold_jobs_held{reason="concurrency"} 3',
    'freehold_jobs_held{reason="rate"} 0',
    'freehold_pods{desired="RUNNING",observed="running"} 1',
    'freehold_machines{online="true"} 1',
    "freehold_budgets_spent 0",
    'freehold_http_requests_total{method="POST",route="/v1/pods",status="2xx"} 1',
  ]) {
    assert.ok(text.split("\n").includes(line), `${line} is not in\n${text}`);
  }
  assert.match(text, /^freehold_loop_turns_total\{loop="meter"\} [1-9]/m);
  assert.match(text, /^freehold_loop_errors_total\{loop="meter"\} 0$/m);
  for (const each of ["turns", "calls", "turn_seconds"]) {
    const total = new RegExp(`^freehold_store_${each}_total (\\S+)$`, "m").exec(text);
    assert.ok(Number(total?.[1]) > 0, each);
  }
  assert.match(text, /^freehold_store_turns_failed_total 0$/m);
  const spend = /^freehold_spend_dollars_per_hour (\S+)$/m.exec(text);
  assert.ok(Number(spend?.[1]) > 0.44, spend?.[0]);
  for (const line of text.trimEnd().split("\n")) {
    assert.match(
      line,
      /^(?:|# (?:HELP|TYPE) freehold_\w+ .+|freehold_\w+(?:\{[^}]*\})? [-\d.e+]+)$/,
    );
  }
  assert.ok(!text.includes(service.key), "no key is in it");
});

test("histograms give percentiles of requests, jobs and commits", async (t) => {
  const service = await simulatedService(t);
  const template = { imageName: "i", dockerStartCmd: ["simulate"], driver: "simulated" as const };
  const endpoint = await service.makeEndpoint({ template, spec: { workersMax: 1 } });
  const { json } = await service.call("POST", `/v2/${endpoint}/runsync`, { input: {} });
  assert.equal(json.status, "COMPLETED");
  const { text } = await scrape(service);
  for (const line of [
    'freehold_http_request_duration_seconds_bucket{le="+Inf",method="POST",route="/v2/:endpointId/runsync",status="2xx"} 1',
    'freehold_http_request_duration_seconds_count{method="POST",route="/v2/:endpointId/runsync",status="2xx"} 1',
    "freehold_job_queue_wait_seconds_count 1",
    "freehold_job_dispatch_seconds_count 1",
    "freehold_job_execution_seconds_count 1",
  ]) {
    assert.ok(text.split("\n").includes(line), `${line} is not in\n${text}`);
  }
  const commits = /^freehold_store_commit_seconds_count (\d+)$/m.exec(text);
  const transactions = /^freehold_store_turns_total (\d+)$/m.exec(text);
  assert.ok(Number(commits?.[1]) > 0);
  // The transactions of the boot itself are counted, but not in the histogram.
  assert.ok(Number(commits?.[1]) <= Number(transactions?.[1]));
});

test("docs/metrics.md and the dashboard name every metric, with its type and labels", async (t) => {
  const { setting } = certificateFolder(t, makeCertificate());
  const env = { FREEHOLD_TLS: setting };
  const service = await simulatedService(t, { env, replicas: null });
  const { json: pod } = await service.call("POST", "/v1/pods", POD);
  await until(podsOf(service).reached, pod.id);
  const { text } = await scrape(service);
  const page = readFileSync(path.join(docs, "metrics.md"), "utf8");
  assert.deepEqual(documentedTypes(page), metricTypes(text));
  for (const [metric, names] of labelNames(text)) {
    const row = new RegExp(`^\\| \`${metric}\` \\| \\w+ \\| ([^|]*)\\|`, "m").exec(page);
    assert.equal(row?.[1]?.replaceAll("`", "").trim(), names, metric);
  }
  const dashboard = readFileSync(path.join(docs, "grafana", "freehold.json"), "utf8");
  const plotted = [...dashboard.matchAll(/freehold_[a-z_]+/g)].map(([name]) => name);
  assert.deepEqual(
    sorted(plotted.map((name) => name.replace(/_bucket$/, ""))),
    sorted(metricTypes(text).map((metric) => metric.split(" ")[0]!)),
  );
});

test("only the operator's account may scrape; another account's key and a wrong key are refused", async (t) => {
  const service = await simulatedService(t);
  assert.equal((await scrape(service)).status, 200);
  assert.equal((await scrape(service, { authorization: `Bearer ${service.key}` })).status, 200);
  assert.equal((await scrape(service, await createOtherAccount(service))).status, 403);
  assert.equal((await scrape(service, { authorization: "Bearer fh_wrong" })).status, 401);
});

test("a caller from another address, such as a container, needs a key", async (t) => {
  const service = await simulatedService(t);
  const ask = async (remoteAddress: string, headers: Record<string, string> = {}) => {
    const request = { url: "/metrics", remoteAddress, headers: { host: "127.0.0.1", ...headers } };
    return (await service.service.app.inject(request)).statusCode;
  };
  assert.equal(await ask("127.0.0.1"), 200);
  assert.equal(await ask("172.18.0.2"), 401);
  assert.equal(await ask("172.18.0.2", { authorization: `Bearer ${service.key}` }), 200);
});
