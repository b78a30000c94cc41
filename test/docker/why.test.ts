// Tests of the causes that why reports for workers that do not start, on a real engine and a registry.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { suite, test } from "node:test";
import type { TemplateSpec } from "../../src/domain/template/template.ts";
import { ensureImage, skipReason } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { startContainerService } from "./container-service.ts";
import { startRegistry } from "./registry.ts";

suite("why for containers", { skip: skipReason }, () => {
  test("image, registry and entry point errors are distinguished, for the job and for the worker", async (t) => {
    const service = await startContainerService(t);
    const because = async (template: Partial<TemplateSpec>) => {
      const endpoint = await service.makeEndpoint({ template, spec: { workersMax: 1 } });
      const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
      const answer = await until(async () => {
        const { json } = await service.call("GET", `/v1/why/${job.id}`);
        return json.evidence.ends ? json : null;
      });
      const [ending] = answer.evidence.ends;
      const { json: worker } = await service.call("GET", `/v1/why/${ending.workerId}`);
      assert.equal(worker.code, answer.code);
      assert.ok(worker.sentence.includes("could not be started"), worker.sentence);
      return answer.code;
    };
    const image = service.shellImage;
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

  test("an image without the shell that it needs is named with the shell", async (t) => {
    const service = await startContainerService(t);
    const imageName = scriptImage(service.host);
    const because = async (dockerStartCmd: string[]) => {
      const template = { imageName, dockerStartCmd };
      const endpoint = await service.makeEndpoint({ template, spec: { workersMax: 1 } });
      const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
      return until(async () => {
        const { json } = await service.call("GET", `/v1/why/${job.id}`);
        return json.evidence.ends ? json : null;
      });
    };
    const missing = await because(["/bin/sh", "-c", "exit"]);
    assert.equal(missing.code, "entrypoint_not_found");
    const { json: worker } = await service.call(
      "GET",
      `/v1/why/${missing.evidence.ends[0].workerId}`,
    );
    assert.match(worker.sentence, /does not contain the program "\/bin\/sh"/);
    assert.match(worker.next, /^Add the program to the image/);
    const script = await because(["/usr/bin/run.sh"]);
    assert.match(
      script.sentence,
      /exec \/usr\/bin\/run\.sh: .* the image lacks .* such as \/bin\/sh/,
    );
  });

  test("a worker that exceeds its memory limit", async (t) => {
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
    const service = await startContainerService(t, { env });
    const endpoint = await service.makeEndpoint({
      template: { imageName: service.shellImage, dockerStartCmd: ["tail", "/dev/zero"] },
      spec: { computeType: "CPU", cpuFlavorIds: ["tiny"], vcpuCount: 1, workersMax: 1 },
    });
    const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
    const answer = await until(async () => {
      const { json } = await service.call("GET", `/v1/why/${job.id}`);
      return json.evidence.ends ? json : null;
    });
    assert.equal(answer.code, "out_of_memory");
    assert.match(answer.sentence, /because it exceeded its memory limit/);
    const { json: worker } = await service.call(
      "GET",
      `/v1/why/${answer.evidence.ends[0].workerId}`,
    );
    assert.equal(worker.code, "out_of_memory");
  });
});

/** An image of one shell script, and of no shell. */
function scriptImage(host: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-script-"));
  const script = path.join(folder, "run.sh");
  writeFileSync(script, "#!/bin/sh\n", { mode: 0o755 });
  try {
    return ensureImage(host, "freehold-test-script:1", () => [["run.sh", script]]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
