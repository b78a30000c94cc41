// A program whose name is longer than Linux can execute is refused in every interface that takes a command.

import assert from "node:assert/strict";
import { test } from "node:test";
import { commandAddress, openCommand } from "../docker/command.ts";
import { until } from "../fixtures/until.ts";
import { asker } from "../rest-v2/ask.ts";
import { podsOf, simulatedService } from "./fixture.ts";

const LONG = "p".repeat(4_097);
const cpu = { computeType: "CPU", vcpuCount: 2, driver: "simulated", imageName: "i" };

test("REST v1, REST v2 and GraphQL refuse a program name of 4,097 bytes", async (t) => {
  const service = await simulatedService(t);
  const ask = asker(service);
  const refuses = async (method: string, path: string, body?: object) => {
    const { status, json, text } = await service.call(method, path, body);
    const what = `${method} ${path.slice(0, 60)} ${Object.keys(body ?? {})}`;
    assert.equal(status, 400, `${what}: ${text.slice(0, 200)}`);
    const sentence = json.error ?? json.detail;
    assert.match(sentence, /begins with a word of 4097 bytes.*at most 4096/, what);
    return sentence as string;
  };
  const pod = await ask("POST", "/v1/pods", cpu, 201);
  const request = { name: "t", imageName: "i", driver: "simulated" };
  const template = await ask("POST", "/v1/templates", request);
  for (const command of [{ dockerStartCmd: [LONG] }, { dockerEntrypoint: [LONG, "a"] }]) {
    await refuses("POST", "/v1/pods", { ...cpu, ...command });
    await refuses("PATCH", `/v1/pods/${pod.id}`, command);
    await refuses("POST", "/v1/templates", { name: "u", imageName: "i", ...command });
    await refuses("PATCH", `/v1/templates/${template.id}`, command);
  }
  await refuses("POST", "/v1/pods", { ...cpu, dockerArgs: `${LONG} a` });
  await until(podsOf(service).reached, pod.id);
  const terminal = commandAddress(service.origin, pod.id, LONG);
  await assert.rejects(openCommand(terminal, service.key), /400/);

  const pod2 = { name: "p", image: "i", driver: "simulated", cpu: { id: "cpu3c", vcpuCount: 2 } };
  const endpoint = {
    name: "e",
    type: "QUEUE",
    image: "i",
    gpu: { pools: ["AMPERE_48"] },
    scaling: { type: "QUEUE_DELAY", queueDelay: 2.5 },
    workers: { max: 0 },
  };
  for (const command of [{ cmd: [LONG] }, { entrypoint: [LONG] }, { args: LONG }]) {
    const sentence = await refuses("POST", "/v2/pods", { ...pod2, ...command });
    assert.match(sentence, /^"(?:cmd|entrypoint)"/);
    await refuses("POST", "/v2/serverless", { ...endpoint, ...command });
    await refuses("POST", "/v2/templates", { name: "v", image: "i", ...command });
  }
  const sandbox = { imageName: "i", cmd: [LONG] };
  await refuses("POST", "/v2/sandboxes", sandbox);
  const { id } = await ask("POST", "/v2/sandboxes", { templateId: template.id }, 201);
  await until(async () => (await ask("GET", `/v2/sandboxes/${id}`)).state === "RUNNING");
  await refuses("POST", `/v2/sandboxes/${id}/exec`, { command: [LONG] });

  const gpu = { name: "n", gpuTypeId: "NVIDIA A40", imageName: "i", dockerArgs: LONG };
  const saved = { name: "w", imageName: "i", containerDiskInGb: 1, volumeInGb: 0, env: [] };
  const cluster = {
    clusterName: "c",
    gpuTypeId: "NVIDIA A40",
    podCount: 2,
    gpuCountPerPod: 1,
    type: "TRAINING",
    imageName: "i",
    dockerArgs: LONG,
  };
  const mutations: [type: string, field: string, input: object][] = [
    ["PodFindAndDeployOnDemandInput", "podFindAndDeployOnDemand", gpu],
    ["SaveTemplateInput", "saveTemplate", { ...saved, dockerArgs: LONG }],
    ["CreateClusterInput", "createCluster", cluster],
  ];
  for (const [type, field, input] of mutations) {
    const query = `mutation ($input: ${type}!) { ${field}(input: $input) { id } }`;
    const { json } = await service.call("POST", "/graphql", { query, variables: { input } });
    const message = json.errors[0].message.replaceAll(LONG, "LONG");
    assert.match(message, /begins with a word of 4097 bytes/, field);
  }
});
