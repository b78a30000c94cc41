// The command line of runpod 2.0.0rc2, unmodified, which speaks REST v2 and GraphQL.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { testOnBoth } from "../fidelity/both.ts";
import { witness } from "../fidelity/witness.ts";
import { until } from "../fixtures/until.ts";
import { MACHINE, podsOf } from "../pods/fixture.ts";
import { pythonWith } from "./python-environment.ts";

const options = {
  env: { FREEHOLD_MACHINE: JSON.stringify(MACHINE) },
  protocol: { endGraceMs: 200 },
};

testOnBoth("runpod 2.0.0rc2: its command line", options, async (t, start) => {
  const python = pythonWith(t, "2.0.0rc2");
  if (!python) return;
  const service = await start();
  witness(t, service, "PyPI runpod 2.0.0rc2, its command line");
  const home = mkdtempSync(path.join(tmpdir(), "freehold-home-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const program = path.join(path.dirname(python), "rp");
  // A wide screen, so that tables are not cut.
  const variables = {
    HOME: home,
    RUNPOD_API_BASE_URL: service.origin,
    RUNPOD_HAPI_URL: service.origin,
    COLUMNS: "200",
  };
  const env = { PATH: process.env.PATH, ...variables };
  const rp = (...args: string[]) => promisify(execFile)(program, args, { env, timeout: 300_000 });
  const printed = async (...args: string[]) => (await rp(...args)).stdout;

  await rp("login", "--api-key", service.key);
  const config = path.join(home, ".runpod", "config.toml");
  assert.ok(existsSync(config) && readFileSync(config, "utf8").includes(service.key));

  await rp("registry", "add", "hub", "--username", "ada", "--password", "secret");
  assert.match(await printed("registry", "list"), /hub/);
  await assert.rejects(rp("registry", "delete", "other", "--yes"), /no registry credential named/);
  await rp("registry", "delete", "hub", "--yes");
  assert.match(await printed("registry", "list"), /no registry credentials/);

  await rp("secret", "add", "token", "--value", "v", "--description", "of a model hub");
  assert.match(await printed("secret", "list"), /token +of a model hub/);
  await rp("secret", "delete", "token", "--yes");
  assert.match(await printed("secret", "list"), /no secrets/);

  // This version ignores the option --key, and generates a key after two questions.
  const adding = rp("ssh", "add");
  adding.child.stdin?.end("y\nlaptop\n");
  await adding;
  assert.match(await printed("ssh", "list"), /laptop.*ssh-rsa.*SHA256:/);

  const { shellImage } = service;
  // A simulated Pod says this itself.
  const line = `started with image ${shellImage}`;
  const dockerStartCmd = ["sh", "-c", `echo ${line}; sleep 1000`];
  const body = { imageName: shellImage, name: "listed", dockerStartCmd };
  const { json: pod } = await service.call("POST", "/v1/pods", body);
  const table = await printed("pod", "list");
  for (const word of [pod.id, "listed", shellImage]) assert.ok(table.includes(word), table);

  await until(podsOf(service).reached, pod.id);
  const log = await printed("logs", pod.id);
  assert.match(log, /^\[system\] \d{4}-\S+Z created with the image /);
  assert.match(log, /^\[container\] \d{4}-\S+Z started with image /m);
  assert.doesNotMatch(await printed("logs", pod.id, "--type", "container"), /\[system\]/);
  for (const type of ["all", "system", "container"]) {
    const logs = spawn(program, ["logs", pod.id, "--follow", "--type", type], { env });
    t.after(() => logs.kill());
    const [first] = await once(createInterface(logs.stdout), "line");
    assert.match(first, type === "container" ? /^\[container\] started/ : /^\[system\] created/);
    logs.kill();
  }
});
