// `freehold deploy` with a real engine: a folder is built, its containers run, and only a change is a release.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { freehold } from "../cli/command.ts";
import { skipReason } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { startContainerService } from "./container-service.ts";

test("a folder is built, runs, and is released again when it changes", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t);
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-deploy-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const dockerfile = [
    `FROM ${service.shellImage}`,
    "COPY word .",
    'CMD ["sh", "-c", "cat word; sleep 600"]',
  ];
  writeFileSync(path.join(folder, "Dockerfile"), dockerfile.join("\n"));
  const deploy = async (word: string) => {
    writeFileSync(path.join(folder, "word"), `${word}\n`);
    const args = ["deploy", folder, "--name", "words", "--workers-min", "1", "--json"];
    const shell = { env: { DOCKER_HOST: service.host } };
    const { code, stdout, stderr } = await freehold([...args, "--data", service.dataFolder], shell);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  const first = await deploy("one");
  t.after(() => service.docker("rmi", "--force", first.image));
  assert.equal(first.change, "created");
  const logOf = (id: string) => service.docker("logs", id);
  await until(() => service.containers().some((id) => logOf(id).includes("one")));
  assert.equal((await deploy("one")).change, "unchanged");
  const second = await deploy("two");
  t.after(() => service.docker("rmi", "--force", second.image));
  assert.deepEqual([second.change, second.endpoint.version], ["released", 2]);
  await until(() => service.containers().some((id) => logOf(id).includes("two")));
});
