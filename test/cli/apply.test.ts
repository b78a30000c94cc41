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
