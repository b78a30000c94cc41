// `freehold deploy` with a real engine: a folder is built, its containers run, and only a change is a release.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { freehold } from "../cli/command.ts";
import { docker, skipReason } from "../fixtures/docker/engine.ts";
import { ensureNodeImage } from "../fixtures/docker/node-image.ts";
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

const TYPESCRIPT_WORKER = `import { type Job, serve } from "freehold-worker";
const greet = ({ input }: Job<{ name: string }>) => ({ message: "Hello, " + input.name });
await serve<{ name: string }, { message: string }>({ handler: greet });
`;

test("the image of a TypeScript handler has the worker library, and its worker runs jobs", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t);
  nameNodeImage(t, service.host);
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-deploy-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, "worker.ts"), TYPESCRIPT_WORKER);
  const deploy = async () => {
    const args = ["deploy", folder, "--name", "greeter", "--json", "--data", service.dataFolder];
    const { code, stdout, stderr } = await freehold(args, { env: { DOCKER_HOST: service.host } });
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  const { image, endpoint } = await deploy();
  t.after(() => service.docker("rmi", "--force", image));
  const job = { input: { name: "you" } };
  const { json } = await service.call("POST", `/v2/${endpoint.id}/runsync?wait=60000`, job);
  assert.deepEqual(json.output, { message: "Hello, you" }, JSON.stringify(json));
  assert.equal((await deploy()).change, "unchanged");
});

/** Gives this machine's Node the name of the image that handlers are built on, where the engine has no such image. */
function nameNodeImage(t: TestContext, host: string): void {
  const base = "node:24-slim";
  if (docker(host, "images", "--quiet", base) !== "") return;
  docker(host, "tag", ensureNodeImage(host), base);
  t.after(() => docker(host, "rmi", base));
}
