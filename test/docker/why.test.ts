// Why a worker in a container did not come up: each cause has an answer of its own, on a real engine
// and, for images, a real registry with a password.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { suite, test } from "node:test";
import type { TemplateSpec } from "../../src/domain/template/template.ts";
import { until } from "../../src/drivers/docker/docker-bench.testing.ts";
import { missing } from "../../src/drivers/docker/engine.testing.ts";
import { startContainerHouse } from "./container-house.ts";
import { startRegistry } from "./registry.ts";

suite("why for containers", { skip: missing }, () => {
  test("image, registry and entry point are told apart, of the job and of the worker", async (t) => {
    const house = await startContainerHouse(t);
    const because = async (template: Partial<TemplateSpec>) => {
      const endpoint = await house.makeEndpoint({ template, spec: { workersMax: 1 } });
      const { json: job } = await house.call("POST", `/v2/${endpoint}/run`, { input: {} });
      const told = await until(async () => {
        const { json } = await house.call("GET", `/v1/why/${job.id}`);
        return json.evidence.ends ? json : null;
      });
      const [ending] = told.evidence.ends;
      const { json: worker } = await house.call("GET", `/v1/why/${ending.workerId}`);
      assert.equal(worker.code, told.code);
      assert.ok(worker.sentence.includes("could not be started"), worker.sentence);
      return told.code;
    };
    const image = house.shellImage;
    assert.equal(await because({ imageName: "127.0.0.1:1/nothing:1" }), "registry_away");
    assert.equal(
      await because({ imageName: image, dockerStartCmd: ["/no/such"] }),
      "entrypoint_not_found",
    );
    assert.equal(
      await because({ imageName: image, dockerEntrypoint: ["/etc"] }),
      "entrypoint_not_executable",
    );
    const registry = await startRegistry(t);
    assert.equal(await because({ imageName: `${registry.open}/nothing:1` }), "image_not_found");
    assert.equal(
      await because({ imageName: `${registry.closed}/nothing:1` }),
      "image_unauthorised",
    );
  });

  test("a worker that uses more memory than it may", async (t) => {
    // A flavor of an operator's own, so that little memory is much.
    const folder = mkdtempSync(path.join(tmpdir(), "freehold-catalog-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const flavor = { id: "tiny", displayName: "Tiny", ramGbPerVcpu: 1, vcpuCounts: [1] };
    const catalog = path.join(folder, "catalog.json");
    writeFileSync(
      catalog,
      JSON.stringify({ cpuFlavors: [{ ...flavor, pricePerVcpu: 0.01, serverless: true }] }),
    );
    const env = { FREEHOLD_CATALOG: catalog, FREEHOLD_MACHINE: '{"vcpus":8,"memoryInGb":16}' };
    const house = await startContainerHouse(t, { env });
    const endpoint = await house.makeEndpoint({
      template: { imageName: house.shellImage, dockerStartCmd: ["tail", "/dev/zero"] },
      spec: { computeType: "CPU", cpuFlavorIds: ["tiny"], vcpuCount: 1, workersMax: 1 },
    });
    const { json: job } = await house.call("POST", `/v2/${endpoint}/run`, { input: {} });
    const told = await until(async () => {
      const { json } = await house.call("GET", `/v1/why/${job.id}`);
      return json.evidence.ends ? json : null;
    });
    assert.equal(told.code, "out_of_memory");
    assert.match(told.sentence, /for using more memory than it may/);
    const { json: worker } = await house.call("GET", `/v1/why/${told.evidence.ends[0].workerId}`);
    assert.equal(worker.code, "out_of_memory");
  });
});
