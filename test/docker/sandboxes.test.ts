// Sandboxes in real containers: commands, limits, failed starts, and the end of their containers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { skipReason } from "../fixtures/docker/engine.ts";
import { SkewedClock } from "../fixtures/time/skewed-clock.ts";
import { until } from "../fixtures/until.ts";
import { asker } from "../rest-v2/ask.ts";
import { startContainerService } from "./container-service.ts";

const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const settings = { env: { FREEHOLD_MACHINE: machine }, protocol: { endGraceMs: 500 } };
const HOUR = 3_600_000;

test("commands run in a container that ends at its limit, and a bad program fails at once", {
  skip: skipReason,
}, async (t) => {
  const clock = new SkewedClock(new Date().toISOString());
  const service = await startContainerService(t, { ...settings, clock });
  const ask = asker(service);
  const small = { imageName: service.shellImage, disk: 1 };
  const inState = (id: string, state: string) =>
    until(async () => {
      const sandbox = await ask("GET", `/v2/sandboxes/${id}`);
      return sandbox.state === state ? sandbox : null;
    });
  const create = async (more: object = {}) =>
    (await ask("POST", "/v2/sandboxes", { ...small, ...more }, 201)).id as string;
  const id = await create({ env: { WORD: "kept" }, maxLifetimeSeconds: 7_200 });
  const running = await inState(id, "RUNNING");
  const exec = (command: string[], more: object = {}) =>
    ask("POST", `/v2/sandboxes/${id}/exec`, { command, ...more });

  const script = 'echo "$WORD" > /tmp/f; cat /tmp/f; echo wrong >&2; export -p; exit 3';
  const failed = await exec(["bash", "-c", script]);
  assert.match(failed.stdout, /^kept\n/);
  assert.deepEqual([failed.stderr, failed.exitCode, failed.error], ["wrong\n", 3, "exit status 3"]);
  assert.doesNotMatch(failed.output, /fhp_|RUNPOD_API_KEY|RUNPOD_API_BASE_URL/);
  const read = await exec(["cat", "/tmp/f"]);
  assert.deepEqual([read.output, read.error, read.truncated], ["kept\n", null, false]);
  const long = await exec(["bash", "-c", "x=a; for i in {1..21}; do x=$x$x; done; echo $x"]);
  assert.deepEqual([long.output.length, long.truncated], [1_048_576, true]);
  const cut = await exec(["sleep", "1000"], { timeoutSeconds: 1 });
  assert.deepEqual([cut.exitCode, cut.error], [null, "the command was ended after 1 seconds"]);
  const used = await ask("GET", `/v2/sandboxes/${id}`);
  assert.ok(used.lastActivityAt > running.lastActivityAt);

  const bad = await create({ entrypoint: ["/no/such/program"] });
  const short = await create({ cmd: ["-c", "exit 4"], entrypoint: ["bash"] });
  const exited = await inState(short, "TERMINATED");
  assert.equal(exited.terminationReason, "EXITED");
  assert.match(exited.terminationDetail, /exit code 4/);
  assert.equal((await inState(bad, "FAILED")).terminationReason, "START_FAILED");

  clock.jump(3 * HOUR);
  assert.equal((await inState(id, "TERMINATED")).terminationReason, "IDLE_TIMEOUT");
  const filter = `label=freehold.machine=${service.service.replica.machine}`;
  await until(() => service.docker("ps", "--all", "--quiet", "--filter", filter) === "");
});
