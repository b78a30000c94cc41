// Tests of `freehold logs`, `freehold ps` and `freehold open`.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { freehold, start } from "./command.ts";

const worker = path.join(import.meta.dirname, "handlers.ts");

test("a worker's log is printed, and followed until the worker ends", async (t) => {
  const service = await startService(t, { drivers: "process" });
  const endpoint = await service.makeEndpoint({
    template: { driver: "process", dockerStartCmd: [process.execPath, worker] },
    spec: { workersMax: 1 },
  });
  const data = ["--data", service.dataFolder];
  const ran = await freehold(["run", endpoint, '{"print":"first line","echo":1}', ...data]);
  assert.equal(ran.code, 0, ran.stderr);
  const workerId = (await freehold(["workers", "-q", ...data])).stdout.trim();
  const ps = await freehold(["ps", ...data]);
  assert.match(ps.stdout, new RegExp(`^${workerId} +worker .* RUNNING `, "m"));

  const log = await freehold(["logs", workerId, "--quiet", ...data]);
  assert.match(log.stdout, /^first line$/m);
  assert.doesNotMatch(log.stdout, /\[system\]/);
  const system = await freehold(["logs", workerId, "--type", "system", "-t", ...data]);
  assert.match(system.stdout, /^20\S+Z {2}\[system\] /m);
  const lines = JSON.parse((await freehold(["logs", workerId, "--json", ...data])).stdout);
  assert.ok(lines.some(({ text }: { text: string }) => text === "first line"));

  const { json: jobs } = await service.call("GET", `/v1/jobs?endpointId=${endpoint}`);
  const ofJob = async () => (await freehold(["logs", jobs[0].id, "--quiet", ...data])).stdout;
  await until(async () => /^.*first line$/m.test(await ofJob()));

  const ofEndpoint = (await freehold(["logs", endpoint, "--quiet", ...data])).stdout;
  assert.match(ofEndpoint, new RegExp(`^${workerId.slice(0, 8)} {2}first line$`, "m"));
  const whole = start(["logs", "-f", endpoint, "--type", "container", "--json", ...data]);
  let all = "";
  whole.stdout!.on("data", (piece) => (all += piece));
  t.after(() => whole.kill());
  await until(() => all.includes(`{"workerId":"${workerId}"`) && all.includes("first line"));

  const following = start(["logs", "-f", workerId, "--type", "container", ...data]);
  let text = "";
  following.stdout!.on("data", (piece) => (text += piece));
  await until(() => text.includes("first line"));
  await freehold(["run", endpoint, '{"print":"second line"}', ...data]);
  await until(() => text.includes("second line"));
  await until(() => all.includes("second line"));
  await freehold(["endpoints", "delete", endpoint, ...data]);
  const [code] = await once(following, "close");
  assert.equal(code, 0);
});

test("logs refuses what has no log", async (t) => {
  const service = await startService(t);
  const data = ["--data", service.dataFolder];
  const none = await freehold(["logs", "none", ...data]);
  assert.equal(none.code, 3);
  assert.match(none.stderr, /there is no Pod, worker, job or endpoint "none"/);
  assert.equal((await freehold(["logs", ...data])).code, 2);
  const type = await freehold(["logs", "none", "--type", "both", ...data]);
  assert.equal(type.code, 2);
  assert.match(type.stderr, /--type is "both"; it takes container or system/);
  const id = await service.makeEndpoint();
  const tail = await freehold(["logs", (await service.makeWorker(id)).id, "--tail", "x", ...data]);
  assert.equal(tail.code, 1);
  assert.match(tail.stderr, /tail/);
});

test("ps lists running Pods, and with --all stopped ones", async (t) => {
  const service = await startService(t);
  const data = ["--data", service.dataFolder];
  const flags = ["--name", "box", "--image-name", "example/box", "--driver", "simulated"];
  const id = (await freehold(["pods", "create", ...flags, "-q", ...data])).stdout.trim();
  const isRunning = new RegExp(`^${id} +Pod +box +RUNNING \\(simulated\\)`, "m");
  await until(async () => isRunning.test((await freehold(["ps", ...data])).stdout));
  assert.equal((await freehold(["pods", "stop", id, ...data])).code, 0);
  assert.equal((await freehold(["ps", "-q", ...data])).stdout, "");
  assert.equal((await freehold(["ps", "-qa", ...data])).stdout, `${id}\n`);
});

test("open opens the page of a resource in a browser", async (t) => {
  const service = await startService(t);
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-browser-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "opened");
  for (const name of ["xdg-open", "open"]) {
    const script = `#!/bin/sh\nprintf %s "$1" > '${file}.new' && mv '${file}.new' '${file}'\n`;
    writeFileSync(path.join(folder, name), script, { mode: 0o755 });
  }
  const id = await service.makeEndpoint();
  const shell = { env: { PATH: `${folder}:${process.env.PATH}` } };
  const data = ["--data", service.dataFolder];
  const { stdout } = await freehold(["open", id, ...data], shell);
  assert.equal(stdout, `${service.origin}/serverless/${id}\n`);
  const opened = () => {
    try {
      return readFileSync(file, "utf8");
    } catch {
      return null;
    }
  };
  await until(() => opened() !== null);
  assert.equal(opened(), stdout.trim());
  const printed = await freehold(["open", "--print", ...data], { env: { PATH: "/nowhere" } });
  assert.equal(printed.stdout, `${service.origin}/\n`);
  assert.equal((await freehold(["open", "none", "--print", ...data])).code, 3);
});
