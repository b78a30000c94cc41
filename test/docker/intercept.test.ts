// Interception in containers: unmodified programs reach the service under the hosted addresses, and nothing reaches the
// hosted service.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { skipReason } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { pythonWith } from "../sdk/python-environment.ts";
import { runAll, shortTimes } from "../sdk/python-worker.ts";
import { startContainerService } from "./container-service.ts";
import { ensurePythonImage } from "./python-image.ts";

const SCRIPT = readFileSync(path.join(import.meta.dirname, "hosted_addresses.py"), "utf8");
/** An address of this machine that the proxy may lead to. */
const ELSEWHERE = "127.0.0.2";
const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });

async function startEcho(t: TestContext): Promise<string> {
  const server = createServer((socket) => socket.pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, ELSEWHERE, resolve));
  t.after(() => server.close());
  return `${ELSEWHERE}:${(server.address() as AddressInfo).port}`;
}

test("containers reach Freehold under hosted addresses", { skip: skipReason }, async (t) => {
  const python = pythonWith(t, "1.12.0");
  if (!python) return;
  const env = {
    FREEHOLD_INTERCEPT_CONTAINERS: "on",
    FREEHOLD_WEBHOOK_ALLOW: ELSEWHERE,
    FREEHOLD_MACHINE: machine,
  };
  const service = await startContainerService(t, {
    env,
    protocol: { ...shortTimes, leaseMs: 8_000 },
  });
  const elsewhere = await startEcho(t);
  const imageName = ensurePythonImage(service.host, python);
  const skipChecks = { RUNPOD_SKIP_AUTO_SYSTEM_CHECKS: "true", RUNPOD_SKIP_GPU_CHECK: "true" };
  const endpoint = await service.makeEndpoint({
    template: { imageName, env: { SHAPE: "sync", ...skipChecks } },
    spec: { workersMax: 1 },
  });
  const [job] = await runAll(service, endpoint, [{ text: "through its own address" }]);
  assert.deepEqual([job.status, job.output], ["COMPLETED", { text: "through its own address" }]);

  const args = [endpoint, elsewhere, new URL(service.origin).port];
  const { json: pod, text } = await service.call("POST", "/v1/pods", {
    computeType: "CPU",
    vcpuCount: 2,
    volumeInGb: 0,
    containerDiskInGb: 1,
    imageName,
    dockerStartCmd: ["-c", `${SCRIPT}\nimport time; time.sleep(600)`, ...args],
    env: { RUNPOD_API_KEY: service.key, NO_PROXY: "api.runpod.io,.runpod.ai" },
  });
  assert.ok(pod.id, text);
  const results = await until(async () => {
    const { json: lines } = await service.call("GET", `/v1/pods/${pod.id}/logs?type=container`);
    const printed = lines.find(({ text }: { text: string }) => text.startsWith("{"));
    return printed ? JSON.parse(printed.text) : null;
  });
  assert.deepEqual(results.api, { status: "ok" });
  assert.equal(results.rest, 200);
  assert.deepEqual([results.job.status, results.job.output], ["COMPLETED", { n: 1 }]);
  assert.equal(results["load balancer"].code, "endpoint_not_found");
  assert.match(results.console, /ProxyError.*403/);
  assert.match(results["without the proxy"], /^ConnectionRefusedError/);
  assert.equal(results.elsewhere, "hello");
  for (const name of ["the machine", "a private address", "a name of the machine"]) {
    assert.match(String(results[name]), /^(403|502)$/, name);
  }
  assert.deepEqual(results["its own service"], { status: "ok" });
  assert.deepEqual(results.keys, []);
  assert.deepEqual(results.files, ["/etc/freehold/ca-certificate.pem", "/etc/freehold/roots.pem"]);

  const container = service.docker(
    "ps",
    "--quiet",
    "--filter",
    `label=freehold.workload=${pod.id}`,
  );
  await service.stop();
  await startContainerService(t, { env, dataFolder: service.dataFolder });
  const read = "import requests; print(requests.get('https://api.runpod.io/healthz').text)";
  const command = ["--host", service.host, "exec", container, python, "-c", read];
  // Not synchronously: the service runs in this process.
  const { stdout } = await promisify(execFile)("docker", command, { timeout: 120_000 });
  assert.equal(stdout.trim(), '{"status":"ok"}');
});
