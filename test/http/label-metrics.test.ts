// FREEHOLD_METRICS_LABELS: labels of resources as labels of metrics, with a bounded number of values.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readMetricsLabels } from "../../src/config/limits-config.ts";
import { boundedValue, MAX_LABEL_VALUES } from "../../src/domain/metrics/label-values.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const CPU = { imageName: "i", computeType: "CPU", volumeInGb: 0 };

test("metrics have the labels of resources that the setting names", async (t) => {
  const env = { FREEHOLD_METRICS_LABELS: "team, cost-center" };
  const service = await simulatedService(t, { env });
  const labels = { team: 'a "b"', secret: "x", "cost-center": "7" };
  const endpoint = await service.makeEndpoint({ spec: { workersMax: 0 } });
  const plain = await service.makeEndpoint({ spec: { workersMax: 0 } });
  const patched = await service.call("PATCH", `/v1/endpoints/${endpoint}`, { labels });
  assert.equal(patched.status, 200, patched.text);
  for (const id of [endpoint, plain]) await service.call("POST", `/v2/${id}/run`, { input: {} });
  const ids: string[] = [];
  for (const each of [labels, labels, {}]) {
    const { json } = await service.call("POST", "/v1/pods", { ...CPU, labels: each });
    ids.push(json.id);
  }
  for (const id of ids) await until(podsOf(service).reached, id);
  const text = await (await fetch(`${service.origin}/metrics`)).text();
  const lines = text.split("\n");
  for (const line of [
    `freehold_jobs_queued{endpoint="${endpoint}",label_team="a \\"b\\"",label_cost_center="7"} 1`,
    'freehold_label_running{kind="pod",label="team",value="a \\"b\\""} 2',
    'freehold_label_running{kind="pod",label="cost-center",value="7"} 2',
    'freehold_label_running{kind="pod",label="team",value=""} 1',
  ]) {
    assert.ok(lines.includes(line), `${line} is not in\n${text}`);
  }
  assert.ok(lines.some((each) => each.startsWith(`freehold_jobs_queued{endpoint="${plain}",`)));
  assert.doesNotMatch(text, /secret/);
  const sumOf = (pattern: RegExp) =>
    [...text.matchAll(pattern)].reduce((sum, [, value]) => sum + Number(value), 0);
  const spend = sumOf(/^freehold_label_spend_dollars_per_hour\{.*label="team".*\} (\S+)$/gm);
  const total = sumOf(/^freehold_spend_dollars_per_hour (\S+)$/gm);
  assert.ok(total > 0 && Math.abs(spend - total) < 1e-6, `${spend}, ${total}`);
});

test("the largest values of a label are its own, and the rest is one", () => {
  const resources = Array.from({ length: MAX_LABEL_VALUES + 10 }, (_, n) => ({
    labels: { team: `t${n}` },
    size: n,
  }));
  const metricValue = boundedValue("team", resources);
  const values = new Set(resources.map(({ labels }) => metricValue(labels)));
  assert.equal(values.size, MAX_LABEL_VALUES + 1);
  assert.deepEqual(
    [
      metricValue({ team: "t59" }),
      metricValue({ team: "t9" }),
      metricValue({}),
      metricValue({ team: "" }),
    ],
    ["t59", "other", "", "other"],
  );
});

test("labels that metrics could not tell apart, and too many, are refused", () => {
  const errorsOf = (text: string) => {
    const errors: string[] = [];
    readMetricsLabels(text, errors);
    return errors.join("\n");
  };
  assert.equal(errorsOf("team,cost-center"), "");
  assert.match(
    errorsOf("a-b,a.b"),
    /^FREEHOLD_METRICS_LABELS: "a-b" and "a.b" would both be label_a_b/,
  );
  assert.match(errorsOf("team=x"), /"team=x" has a "="/);
  assert.match(errorsOf("a,b,c,d,e,f,g,h,i,j,k"), /at most 10 labels, not 11/);
});
