// Tests of `freehold apply`.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { freehold } from "./command.ts";

test("a file is applied: created, kept, changed, and refused before anything is done", async (t) => {
  const service = await startService(t);
  const run = (...args: string[]) => freehold([...args, "--data", service.dataFolder]);
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-apply-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "shop.yaml");
  const text = (workersMax: number) => `
secrets:
  - { name: TOKEN, value: one }
templates:
  - name: shop
    imageName: example/shop:1
    isServerless: true
    env: { MODEL: small }
endpoints:
  - name: shop
    templateId: shop
    computeType: CPU
    workersMax: ${workersMax}
`;
  const apply = (content: string, ...args: string[]) => {
    writeFileSync(file, content);
    return run("apply", "-f", file, ...args);
  };
  const planned = await apply(text(2), "--dry-run");
  const plan = "create  secret TOKEN\ncreate  template shop\ncreate  endpoint shop\n";
  assert.deepEqual([planned.code, planned.stdout], [0, plan], planned.stderr);
  assert.deepEqual((await service.call("GET", "/v1/templates")).json, []);
  assert.equal((await apply(text(2))).stdout, plan);
  const [endpoint] = (await service.call("GET", "/v1/endpoints?includeTemplate=true")).json;
  assert.deepEqual([endpoint.workersMax, endpoint.template.env], [2, { MODEL: "small" }]);

  const again = await apply(text(5));
  const changed =
    "change  secret TOKEN: value\nkeep    template shop\nchange  endpoint shop: workersMax\n";
  assert.equal(again.stdout, changed, again.stderr);
  assert.equal((await service.call("GET", `/v1/endpoints/${endpoint.id}`)).json.workersMax, 5);
  const steps = JSON.parse((await apply(text(5), "--json")).stdout);
  assert.deepEqual(
    steps.map(({ action, id }: { action: string; id: string }) => [action, typeof id]),
    [
      ["change", "string"],
      ["keep", "string"],
      ["keep", "string"],
    ],
  );

  const before = (await service.call("GET", "/v1/secrets")).json;
  for (const [content, why] of [
    ["shops: []", /there is no kind "shops"; the kinds are secrets/],
    ["secrets: {}", /secrets takes a list/],
    ["secrets: [{ value: x }]", /secrets: item 1 has no name/],
    [
      "secrets:\n  - { name: NEW, value: x }\npods: [{ name: box, imag: a }]",
      /"box" has an unknown member "imag"/,
    ],
    ["templates: [{ name: shop, isServerless: false }]", /isServerless cannot change/],
    ["a: [", /is not valid YAML/],
    ["[1]", /takes lists by kind/],
  ] as const) {
    const { code, stderr } = await apply(content);
    assert.equal(code, 2, stderr);
    assert.match(stderr, why);
  }
  const refused = await apply("endpoints: [{ name: other, templateId: none }]");
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^freehold: endpoint other: /);
  assert.equal((await run("apply", "-f", path.join(folder, "none"))).code, 3);
  assert.deepEqual((await service.call("GET", "/v1/secrets")).json, before);
});

test("labels become those of the file", async (t) => {
  const service = await startService(t);
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-apply-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "labels.yaml");
  const apply = async (labels: string) => {
    writeFileSync(file, `templates: [{ name: box, imageName: a, labels: ${labels} }]`);
    const { stdout, stderr } = await freehold(["apply", "-f", file, "--data", service.dataFolder]);
    const [template] = (await service.call("GET", "/v1/templates")).json;
    return [stdout || stderr, template?.labels];
  };
  const both = { team: "a", run: "b" };
  assert.deepEqual(await apply("{ team: a, run: b }"), ["create  template box\n", both]);
  assert.deepEqual(await apply("{ run: b, team: a }"), ["keep    template box\n", both]);
  const changed = "change  template box: labels\n";
  assert.deepEqual(await apply("{ team: a }"), [changed, { team: "a" }]);
  assert.deepEqual(await apply("{}"), [changed, undefined]);
  assert.deepEqual(await apply("{}"), ["keep    template box\n", undefined]);
});

test("a variable that leaves the file is removed, and the plan names it", async (t) => {
  const service = await startService(t);
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-apply-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "env.yaml");
  const apply = async (env: string, ...args: string[]) => {
    const pod = `{ name: box, templateId: box, computeType: CPU, env: ${env} }`;
    const template = "{ name: box, imageName: a, env: { BASE: x } }";
    writeFileSync(file, `templates: [${template}]\npods: [${pod}]\nendpoints: []`);
    const all = ["apply", "-f", file, "--data", service.dataFolder, ...args];
    const { stdout, stderr } = await freehold(all);
    const [found] = (await service.call("GET", "/v1/pods")).json;
    return [stdout || stderr, found?.env];
  };
  const both = { BASE: "x", MODEL: "small", DEBUG: "1" };
  await apply("{ MODEL: small, DEBUG: '1' }");
  const keepPlan = "keep    template box\nkeep    Pod box\n";
  assert.deepEqual(await apply("{ DEBUG: '1', MODEL: small }"), [keepPlan, both]);
  const plan = "keep    template box\nchange  Pod box: env (removes DEBUG)\n";
  assert.deepEqual(await apply("{ MODEL: small }", "--dry-run"), [plan, both]);
  const [outline] = await apply("{ MODEL: small }", "--dry-run", "--json");
  assert.deepEqual(JSON.parse(outline)[1].removedVariables, ["DEBUG"]);
  assert.deepEqual(await apply("{ MODEL: small }"), [plan, { BASE: "x", MODEL: "small" }]);
  assert.deepEqual(await apply("{ MODEL: small }"), [keepPlan, { BASE: "x", MODEL: "small" }]);
});

test("a Jupyter password that leaves the file is removed from a Pod without a template", async (t) => {
  const service = await startService(t);
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-apply-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "pod.yaml");
  const apply = async (env: string) => {
    writeFileSync(file, `pods: [{ name: box, imageName: a, computeType: CPU, env: ${env} }]`);
    return (await freehold(["apply", "-f", file, "--data", service.dataFolder])).stdout;
  };
  await apply("{ JUPYTER_PASSWORD: mine }");
  const plan = "change  Pod box: env (removes JUPYTER_PASSWORD)\n";
  assert.equal(await apply("{}"), plan);
  assert.equal(await apply("{}"), "keep    Pod box\n");
});

test("what the API does not return is no change", async (t) => {
  const service = await startService(t);
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-apply-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "all.yaml");
  await service.makeEndpoint({ id: "imaging" });
  const apply = (dockerArgs: string, prompt: string) => {
    const registry = "{ name: ghcr, username: me, password: secret }";
    const schedule = `{ name: night, endpointId: imaging, cron: 0 2 * * *, input: { prompt: ${prompt} } }`;
    const pod = `{ name: box, imageName: a, computeType: CPU, cpuFlavorIds: [cpu3c], dockerArgs: ${dockerArgs} }`;
    writeFileSync(file, `registries: [${registry}]\nschedule: [${schedule}]\npods: [${pod}]`);
    return freehold(["apply", "-f", file, "--data", service.dataFolder]);
  };
  const first = await apply("train --lr 3", "A hill");
  assert.equal(first.code, 0, first.stderr);
  const again = await apply("train --lr 3", "A hill");
  const keepPlan = "keep    registry credential ghcr\nkeep    schedule night\nkeep    Pod box\n";
  assert.deepEqual([again.stdout, again.stderr], [keepPlan, ""]);
  const changed = await apply("train --lr 4", "A lake");
  assert.match(changed.stdout, /^change {2}schedule night: input\nchange {2}Pod box: dockerArgs$/m);
});
