// compose.yaml: Freehold in a container starts Pods and workers beside itself, and finds its own way to them and back.

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { freePortPair } from "../fixtures/free-port.ts";
import { until } from "../fixtures/until.ts";
import { Client } from "./client.ts";
import { Composition } from "./composition.ts";
import { docker } from "./engine.ts";

const SERVER = `require("node:http")
  .createServer((request, response) => response.end("page " + request.url))
  .listen(8000)`;

/** `image` is Freehold's own, which is also that of the Pod and the worker. */
export async function podsStory(t: TestContext, image: string, key: string): Promise<void> {
  const port = await freePortPair();
  const proxyPort = port + 1;
  const client = new Client(port, key);
  const composed = new Composition("compose.yaml", {
    FREEHOLD_IMAGE: image,
    FREEHOLD_PUBLISH: `127.0.0.1:${port}-${proxyPort}`,
    FREEHOLD_API_KEY: key,
  });
  t.after(() => {
    composed.down();
    removeWorkloads();
  });
  composed.up();
  await client.ready();
  assert.match(composed.run("freehold", "freehold", "key", "list"), /from the configuration/);
  assert.match(
    docker("top", composed.container("freehold"), "-eo", "pid,uid,args"),
    /^ *\d+ +1000 .*up$/m,
  );

  const pod = await client.call("POST", "/v1/pods", {
    name: "page",
    imageName: image,
    computeType: "CPU",
    ports: ["8000/http"],
    dockerEntrypoint: ["node", "-e"],
    dockerStartCmd: [SERVER],
  });
  assert.equal(pod.status, 201, JSON.stringify(pod.json));
  const page = () => pageOf(`http://127.0.0.1:${proxyPort}/${pod.json.id}/8000/a`);
  assert.equal(await page(), "page /a");

  composed.recreate();
  await client.ready();
  assert.equal(await page(), "page /a");
  // Two vCPUs have room for either the Pod or the worker.
  assert.equal((await client.call("DELETE", `/v1/pods/${pod.json.id}`)).status, 204);

  const endpoint = await workerEndpoint(client, image);
  const greeting = (name: string) =>
    client.call("POST", `/v2/${endpoint}/runsync?wait=60000`, { input: { name } });
  assert.deepEqual((await greeting("you")).json.output, { message: "Hello, you!" });
  composed.recreate();
  await client.ready();
  assert.deepEqual((await greeting("again")).json.output, { message: "Hello, again!" });
}

/** What remains on the engine; the label is the data folder in Freehold's container. */
function removeWorkloads(): void {
  const ids = (...command: string[]) =>
    docker(...command, "--filter", "label=freehold.data-folder=/data", "--quiet").split("\n");
  for (const id of ids("ps", "--all").filter(Boolean)) docker("rm", "--force", "--volumes", id);
  for (const each of ["network", "volume"]) {
    for (const id of ids(each, "ls").filter(Boolean)) docker(each, "rm", id);
  }
}

async function workerEndpoint(client: Client, image: string): Promise<string> {
  const template = await client.call("POST", "/v1/templates", {
    name: "greeter",
    imageName: image,
    isServerless: true,
    dockerEntrypoint: ["node", "/app/examples/hello.ts"],
  });
  const endpoint = await client.call("POST", "/v1/endpoints", {
    name: "greeter",
    templateId: template.json.id,
    computeType: "CPU",
    workersMin: 1,
    workersMax: 1,
  });
  assert.equal(endpoint.status, 200, JSON.stringify(endpoint.json));
  return endpoint.json.id;
}

/** The Pod's page, once it answers. */
function pageOf(url: string): Promise<string> {
  return until(async () => {
    const response = await fetch(url).catch(() => null);
    if (response?.status === 200) return response.text();
    await response?.body?.cancel();
    return null;
  });
}
