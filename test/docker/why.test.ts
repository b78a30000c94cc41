// Why a worker in a container did not come up: each cause has an answer of its own, on a real engine
// and, for images, a real registry with a password.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { suite, test } from "node:test";
import type { TemplateSpec } from "../../src/domain/template/template.ts";
import { until } from "../../src/drivers/docker/docker-bench.testing.ts";
import { missing } from "../../src/drivers/docker/engine.testing.ts";
import { freePort } from "../service.ts";
import { startContainerHouse } from "./container-house.ts";

suite("why for containers", { skip: missing }, () => {
  test("image, registry and entry point are told apart, of the job and of the worker", async (t) => {
    const house = await startContainerHouse(t);
    const because = async (template: Partial<TemplateSpec>) => {
      const endpoint = await house.makeEndpoint({ template, spec: { workersMax: 1 } });
      const { json: job } = await house.call("POST", `/v2/${endpoint}/run`, { input: {} });
      const told = await until(async () => {
        const { json } = await house.call("GET", `/v1/why/${job.id}`);
        return ["worker_starting", "worker_asked"].includes(json.code) ? null : json;
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
    const registry = await startRegistry();
    t.after(registry.close);
    assert.equal(await because({ imageName: `${registry.open}/nothing:1` }), "image_not_found");
    assert.equal(
      await because({ imageName: `${registry.closed}/nothing:1` }),
      "image_unauthorised",
    );
  });
});

/** One that anybody may read, and one that asks for a password. */
async function startRegistry() {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-registry-"));
  const [open, closed] = [await freePort(), await freePort()];
  // SHA-1 is for the file's form only: nobody knows the password.
  const digest = createHash("sha1").update(folder).digest("base64");
  writeFileSync(path.join(folder, "htpasswd"), `somebody:{SHA}${digest}\n`);
  const auth = `auth: {htpasswd: {realm: test, path: ${folder}/htpasswd}}\n`;
  const servers = [open, closed].map((port) => {
    const config = path.join(folder, `${port}.yml`);
    writeFileSync(
      config,
      `version: 0.1
log: {level: error, accesslog: {disabled: true}}
storage: {filesystem: {rootdirectory: ${folder}/${port}}}
http: {addr: "127.0.0.1:${port}"}
${port === closed ? auth : ""}`,
    );
    return spawn("docker-registry", ["serve", config], { stdio: "ignore" });
  });
  for (const port of [open, closed]) {
    await until(() => fetch(`http://127.0.0.1:${port}/v2/`).catch(() => null));
  }
  return {
    open: `127.0.0.1:${open}`,
    closed: `127.0.0.1:${closed}`,
    close() {
      for (const server of servers) server.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
