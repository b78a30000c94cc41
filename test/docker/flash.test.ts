// Workers of Flash endpoints: each finds the archive of the build that is deployed when it starts, in its container
// or, as a process, at the path in a variable.

import assert from "node:assert/strict";
import { test } from "node:test";
import { skipReason } from "../fixtures/docker/engine.ts";
import { ensureNodeImage } from "../fixtures/docker/node-image.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { ask } from "../graphql/ask.ts";
import { alone, build, deploy, makeApp, SAVE } from "../graphql/flash.ts";
import { startContainerService } from "./container-service.ts";

/** Answers each job with the text of its archive. */
const READER = `
const { RUNPOD_AI_API_KEY: key, RUNPOD_WEBHOOK_GET_JOB: take, RUNPOD_WEBHOOK_POST_OUTPUT: post } = process.env;
const path = process.env.FLASH_BUILD_ARTIFACT_PATH ?? "/root/.runpod/artifact.tar.gz";
const output = require("node:fs").readFileSync(path, "utf8");
process.on("SIGTERM", () => process.exit(0));
const fill = (url) => url.replaceAll("$RUNPOD_POD_ID", process.env.RUNPOD_POD_ID);
(async () => {
  for (;;) {
    const answer = await fetch(fill(take), { headers: { authorization: key } });
    if (answer.status !== 200) continue;
    const { id } = await answer.json();
    const body = JSON.stringify({ output });
    await fetch(fill(post).replaceAll("$ID", id), { method: "POST", headers: { authorization: key }, body });
  }
})();`;

/** A large archive, so that it is more than one piece of a stream. */
const archiveOf = (text: string) => Buffer.from(text.repeat(100_000));

async function deliver(service: TestService, template: object): Promise<void> {
  const { appId, environmentId } = await makeApp(service);
  const release = async (text: string) =>
    deploy(service, environmentId, await build(service, appId, archiveOf(text)));
  await release("one");
  const { json } = await service.call("POST", "/v1/templates", {
    name: "reader",
    isServerless: true,
    containerDiskInGb: 1,
    ...template,
  });
  const input = {
    name: "live-f",
    flashEnvironmentId: environmentId,
    templateId: json.id,
    workersMax: 1,
    gpuIds: null,
    instanceIds: ["cpu3c-2-4"],
  };
  const { saveEndpoint } = await ask(service, SAVE, { input });
  const call = async () => {
    const path = `/v2/${saveEndpoint.id}/runsync?wait=60000`;
    const answer = await service.call("POST", path, { input: { a: 1 } });
    return answer.json.output as string;
  };
  assert.equal(await call(), archiveOf("one").toString());
  await release("two");
  await until(async () => (await call()) === archiveOf("two").toString());
}

test("a container finds the archive of its build", { skip: skipReason }, async (t) => {
  const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
  const env = { FREEHOLD_MACHINE: machine };
  const service = await startContainerService(t, { ...alone, env });
  const imageName = ensureNodeImage(service.host);
  await deliver(service, { imageName, dockerEntrypoint: ["node", "-e"], dockerStartCmd: [READER] });
});

test("a process finds the path of the archive of its build in a variable", async (t) => {
  const service = await startService(t, { ...alone, drivers: "process" });
  const dockerStartCmd = [process.execPath, "-e", READER];
  await deliver(service, { imageName: "none", dockerStartCmd });
});
