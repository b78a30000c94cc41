// Endpoints and templates over GraphQL.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { ask, refusal } from "./ask.ts";

const saveTemplate = `mutation ($input: SaveTemplateInput) { saveTemplate(input: $input) {
  id name imageName dockerArgs env { key value } ports portsConfig { port name } containerDiskInGb volumeInGb
  volumeMountPath containerRegistryAuthId startJupyter startSsh startScript isServerless isPublic isRunpod readme
  advancedStart category config earned runtimeInMin boundEndpointId } }`;

const saveEndpoint = `mutation ($input: EndpointInput!) { saveEndpoint(input: $input) {
  id name aiKey gpuIds gpuCount idleTimeout locations networkVolumeId networkVolumeIds { networkVolumeId }
  scalerType scalerValue template { id name imageName } templateId type userId version workersMax workersMin
  workersStandby workersPFBTarget env { key value } createdAt allowedCudaVersions minCudaVersion
  executionTimeoutMs resultRetentionMs failureRetentionMs instanceIds computeType flashBootType modelReferences activeBuildid idePodId
  flashEnvironmentId } }`;

const plain = { name: "t", imageName: "i", driver: "simulated" };

async function makeTemplate(service: TestService, more: object = {}) {
  return (await ask(service, saveTemplate, { input: { ...plain, ...more } })).saveTemplate;
}

test("a template is saved, read, changed and deleted by its name", async (t) => {
  const service = await startService(t);
  const created = await makeTemplate(service, {
    env: [{ key: "A", value: "1" }],
    dockerArgs: "python -u handler.py",
    ports: "8888/http,22/tcp",
    portsConfig: [{ port: "8888", name: "web" }],
    containerDiskInGb: 5,
    volumeInGb: 0,
    volumeMountPath: "",
    readme: "# hi",
    category: "GPU",
    startSsh: true,
    advancedStart: true,
    config: { a: [1] },
    startScript: "",
  });
  assert.partialDeepStrictEqual(created, {
    name: "t",
    dockerArgs: "python -u handler.py",
    env: [{ key: "A", value: "1" }],
    ports: "8888/http,22/tcp",
    portsConfig: [{ port: "8888", name: "web" }],
    containerDiskInGb: 5,
    volumeInGb: 0,
    volumeMountPath: "/workspace",
    category: "NVIDIA",
    startSsh: true,
    startJupyter: false,
    advancedStart: true,
    config: { a: [1] },
    isRunpod: false,
  });
  const { json } = await service.call("GET", `/v1/templates/${created.id}`);
  assert.deepEqual(json.dockerStartCmd, ["python", "-u", "handler.py"]);
  assert.deepEqual(json.portLabels, { "8888": "web" });
  const changed = await makeTemplate(service, {
    id: created.id,
    readme: "new",
    dockerArgs: "",
    category: "NVIDIA",
  });
  assert.deepEqual(
    [changed.id, changed.readme, changed.dockerArgs],
    [created.id, "new", created.dockerArgs],
  );
  assert.deepEqual(changed.portsConfig, created.portsConfig);
  const read = await ask(
    service,
    `query ($id: String!) { podTemplate(id: $id) { id readme } none: podTemplate(id: "nope") { id }
      podTemplates(input: {isServerless: false, isRunpod: false}) { id }
      myself { podTemplates { id } } }`,
    { id: created.id },
  );
  assert.deepEqual(read, {
    podTemplate: { id: created.id, readme: "new" },
    none: null,
    podTemplates: [{ id: created.id }],
    myself: { podTemplates: [{ id: created.id }] },
  });
  assert.deepEqual(await ask(service, 'mutation { deleteTemplate(templateName: "t") }'), {
    deleteTemplate: null,
  });
  const error = await refusal(service, 'mutation { deleteTemplate(templateName: "t") }');
  assert.equal(error.extensions.code, "template_not_found");
});

const wrong: [name: string, input: object, code: string, message: RegExp][] = [
  ["no image", { imageName: "" }, "invalid_body", /"imageName" is missing/],
  ["a taken name", {}, "name_taken", /Another template has the name "t"/],
  ["an unknown id", { id: "nope" }, "template_not_found", /nope/],
  ["a start script", { name: "s", startScript: "echo" }, "not_offered", /"dockerArgs"/],
  ["a port", { name: "p", ports: "99999/http" }, "invalid_body", /1 to 65535/],
  ["a disk", { name: "d", containerDiskInGb: -1 }, "invalid_body", /"containerDiskInGb"/],
];

test("an invalid template is refused with a sentence", async (t) => {
  const service = await startService(t);
  const { id } = await makeTemplate(service);
  for (const [name, input, code, message] of wrong) {
    const error = await refusal(service, saveTemplate, { input: { ...plain, ...input } });
    assert.equal(error.extensions.code, code, `${name} ${error.message}`);
    assert.match(error.message, message);
  }
  const fixed = await refusal(service, saveTemplate, { input: { id, isServerless: true } });
  assert.match(fixed.message, /"isServerless" is false, and can only be chosen/);
  assert.match((await refusal(service, saveTemplate)).message, /"input" is missing/);
});

test("a template given inline goes with its endpoint, unless something else uses it", async (t) => {
  const service = await startService(t);
  const make = async (name: string) => {
    const template = { imageName: "i", containerDiskInGb: 1 };
    const input = { name, template };
    return (await ask(service, saveEndpoint, { input })).saveEndpoint;
  };
  const templateOf = (id: string) =>
    ask(service, `{ podTemplate(id: "${id}") { id boundEndpointId } }`).then((e) => e.podTemplate);
  const [alone, shared] = [await make("alone"), await make("shared")];
  assert.equal((await templateOf(alone.templateId)).boundEndpointId, alone.id);
  const input = { name: "other", templateId: shared.templateId };
  const other = (await ask(service, saveEndpoint, { input })).saveEndpoint;
  for (const { id } of [alone, shared]) {
    await ask(service, `mutation { deleteEndpoint(id: "${id}") }`);
  }
  assert.equal(await templateOf(alone.templateId), null);
  assert.equal((await templateOf(shared.templateId)).id, shared.templateId);
  await ask(service, `mutation { deleteEndpoint(id: "${other.id}") }`);
  assert.equal((await templateOf(shared.templateId)).id, shared.templateId);
});

test("the locations of an endpoint come back as they were sent, until REST changes them", async (t) => {
  const service = await startService(t);
  const { id: templateId } = await makeTemplate(service);
  const shown = async (input: object) =>
    (await ask(service, saveEndpoint, { input: { name: "eee", templateId, ...input } }))
      .saveEndpoint;
  const created = await shown({ locations: "EU-RO-1" });
  assert.equal(created.locations, "EU-RO-1");
  const { id } = created;
  assert.equal((await shown({ id, locations: "RO, US" })).locations, "RO, US");
  assert.equal((await shown({ id })).locations, "RO, US");
  await service.call("PATCH", `/v1/endpoints/${id}`, { dataCenterIds: ["EU-RO-1", "US-IL-1"] });
  assert.equal((await shown({ id })).locations, "EU-RO-1,US-IL-1");
});

test("an endpoint is saved, read, changed and deleted", async (t) => {
  const service = await startService(t);
  const { id: templateId } = await makeTemplate(service);
  const { saveEndpoint: created } = await ask(service, saveEndpoint, {
    input: {
      name: "eee",
      templateId,
      gpuIds: "AMPERE_48,-NVIDIA A40",
      locations: "RO,US-IL-1",
      networkVolumeId: "",
      idleTimeout: 7,
      scalerType: "REQUEST_COUNT",
      scalerValue: 2,
      workersMin: 0,
      workersMax: 5,
      flashBootType: "OFF",
      allowedCudaVersions: "12.4, 12.8",
      minCudaVersion: null,
      executionTimeoutMs: 60_000,
      resultRetentionMs: 5_000,
      failureRetentionMs: 86_400_000,
    },
  });
  assert.partialDeepStrictEqual(created, {
    name: "eee",
    gpuIds: "AMPERE_48,-NVIDIA A40",
    locations: "RO,US-IL-1",
    networkVolumeId: null,
    idleTimeout: 7,
    scalerType: "REQUEST_COUNT",
    scalerValue: 2,
    workersMax: 5,
    workersMin: 0,
    flashBootType: "OFF",
    allowedCudaVersions: "12.4,12.8",
    minCudaVersion: null,
    executionTimeoutMs: 60_000,
    resultRetentionMs: 5_000,
    failureRetentionMs: 86_400_000,
    type: "QB",
    template: { id: templateId, name: "t", imageName: "i" },
    version: 1,
    instanceIds: [],
  });
  const { saveEndpoint: changed } = await ask(service, saveEndpoint, {
    input: { id: created.id, name: "fff", workersMin: 1 },
  });
  assert.partialDeepStrictEqual(changed, {
    id: created.id,
    name: "fff",
    workersMin: 1,
    workersMax: 3,
    idleTimeout: 10,
    scalerValue: 4,
    scalerType: "REQUEST_COUNT",
    gpuIds: created.gpuIds,
    allowedCudaVersions: created.allowedCudaVersions,
    version: 1,
  });
});

test("an endpoint is read, pointed at another template, and deleted", async (t) => {
  const service = await startService(t);
  const { id: templateId } = await makeTemplate(service);
  const { saveEndpoint: created } = await ask(service, saveEndpoint, {
    input: { name: "fff", templateId },
  });
  const read = `{ myself { endpoints { id workersMax networkVolume { id } pods { id desiredStatus machine { id } } }
    endpoint(id: "${created.id}") { name } none: endpoint(id: "nope") { name } serverlessDiscount { type } } }`;
  const { myself } = await ask(service, read);
  assert.deepEqual([myself.endpoints.length, myself.endpoint.name, myself.none], [1, "fff", null]);
  const { id: other } = await makeTemplate(service, { name: "u" });
  const point = `mutation { updateEndpointTemplate(input: {endpointId: "${created.id}", templateId: "${other}"}) { id templateId } }`;
  assert.deepEqual((await ask(service, point)).updateEndpointTemplate, {
    id: created.id,
    templateId: other,
  });
  const inUse = await refusal(service, 'mutation { deleteTemplate(templateName: "u") }');
  assert.equal(inUse.extensions.code, "template_in_use");
  assert.deepEqual(await ask(service, `mutation { deleteEndpoint(id: "${created.id}") }`), {
    deleteEndpoint: null,
  });
  const error = await refusal(service, `mutation { deleteEndpoint(id: "${created.id}") }`);
  assert.equal(error.extensions.code, "endpoint_not_found");
});

test("an endpoint can be created with its template: both are created, or neither", async (t) => {
  const service = await startService(t);
  const input = {
    name: "eee",
    template: { imageName: "i", driver: "simulated" },
    instanceIds: ["cpu3g-4-16", "cpu3c-4-8"],
  };
  const { saveEndpoint: created } = await ask(service, saveEndpoint, { input });
  assert.partialDeepStrictEqual(created, { template: { name: "eee" }, computeType: "CPU" });
  assert.deepEqual(created.instanceIds, ["cpu3g-4-16", "cpu3c-4-8"]);
  const templates = async () =>
    (await ask(service, "{ podTemplates(input: {isRunpod: false}) { name } }")).podTemplates.length;
  const taken = await refusal(service, saveEndpoint, { input });
  assert.equal(taken.extensions.code, "name_taken");
  const no = { ...input.template, name: "n", driver: "process" };
  assert.ok((await refusal(service, saveEndpoint, { input: { ...input, template: no } })).message);
  const wrong = { ...input, template: { ...input.template, name: "n" }, workersMin: -1 };
  assert.match((await refusal(service, saveEndpoint, { input: wrong })).message, /"workersMin"/);
  assert.equal(await templates(), 1);
  // Flash offers the smallest size, which Pods do not have.
  const instanceIds = ["cpu3c-1-2"];
  const { saveEndpoint: changed } = await ask(service, saveEndpoint, {
    input: { id: created.id, name: "eee", template: { imageName: "j" }, instanceIds },
  });
  assert.deepEqual([changed.template.imageName, changed.template.id], ["j", created.template.id]);
  assert.deepEqual(changed.instanceIds, instanceIds);
  assert.equal(await templates(), 1);
  const halves = [
    { workersMin: 9, workersMax: 3 },
    { networkVolumeId: "nowhere" },
    { template: { imageName: "k", driver: "process" } },
  ];
  for (const half of halves) {
    const both = { id: created.id, name: "fff", template: { imageName: "k" }, ...half };
    assert.ok((await refusal(service, saveEndpoint, { input: both })).message);
    const { json } = await service.call("GET", `/v1/endpoints/${created.id}?includeTemplate=true`);
    assert.deepEqual([json.name, json.template.imageName, json.version], ["eee", "j", 3]);
  }
});

const refused: [name: string, input: object, code: string, message: RegExp][] = [
  ["no template", { templateId: "" }, "invalid_body", /"templateId"/],
  ["an unknown template", { templateId: "nope" }, "invalid_body", /there is no "nope"/],
  ["both", { template: { imageName: "i" } }, "invalid_body", /not both/],
  ["a pool", { gpuIds: "AMPERE_99" }, "invalid_body", /"AMPERE_99"/],
  ["a bound template", { bindEndpoint: true }, "not_offered", /"bindEndpoint"/],
  ["a priority start", { flashBootType: "PRIORITY_FLASHBOOT" }, "not_offered", /priority start/],
  ["a place", { locations: "MARS" }, "invalid_body", /"MARS"/],
  ["an instance", { instanceIds: ["cpu1"] }, "invalid_body", /"cpu1" is not a CPU instance/],
  ["a scaler", { scalerType: "MAGIC" }, "invalid_body", /"scalerType"/],
  ["a type", { type: "LOAD" }, "invalid_body", /"type"/],
  ["a model", { modelReferences: ["m"] }, "invalid_body", /not a model of the Hugging/],
  ["a global volume", { volumes: [{ volumeId: "g" }] }, "not_offered", /no global volumes/],
  ["a certification", { compliance: ["HIPAA"] }, "not_offered", /certifications/],
  ["a hub release", { hubReleaseId: "h" }, "not_offered", /hub/],
  ["a repository", { repo: { repoName: "r" } }, "not_offered", /repo/],
  ["variables", { env: [{ key: "A", value: "1" }] }, "not_offered", /template/],
  ["an idle time", { idleTimeout: 0 }, "invalid_body", /"idleTimeout"/],
];

test("an invalid endpoint is refused with a sentence", async (t) => {
  const service = await startService(t);
  const { id: templateId } = await makeTemplate(service);
  for (const [name, input, code, message] of refused) {
    const error = await refusal(service, saveEndpoint, {
      input: { name: "eee", templateId, ...input },
    });
    assert.equal(error.extensions.code, code, `${name} ${error.message}`);
    assert.match(error.message, message, name);
  }
  const unknown = await refusal(service, saveEndpoint, { input: { id: "nope", name: "eee" } });
  assert.equal(unknown.extensions.code, "endpoint_not_found");
});

test("the models of an endpoint are references, and modelName is one more", async (t) => {
  const service = await startService(t);
  const { id: templateId } = await makeTemplate(service);
  const save = `mutation ($input: EndpointInput!) { saveEndpoint(input: $input) { id version modelName modelReferences } }`;
  const input = { name: "m", templateId, gpuIds: "AMPERE_16", modelName: "o/n" };
  const { saveEndpoint: created } = await ask(service, save, { input });
  const [n, v2] = ["https://huggingface.co/o/n:main", "https://huggingface.co/o/m:v2"];
  assert.deepEqual(created, { id: created.id, version: 1, modelName: "o/n", modelReferences: [n] });
  const saved = async (models: object) =>
    (await ask(service, save, { input: { ...input, id: created.id, modelName: null, ...models } }))
      .saveEndpoint;
  // What runpodctl reads and writes back changes nothing.
  assert.deepEqual(await saved({ modelReferences: [n] }), created);
  assert.deepEqual(await saved({}), created);
  const both = await saved({ modelReferences: ["https://huggingface.co/o/m/tree/v2", n] });
  assert.deepEqual(both, { ...created, version: 2, modelName: "o/m:v2", modelReferences: [v2, n] });
  const none = await saved({ modelReferences: [] });
  assert.deepEqual(none, { ...created, version: 3, modelName: null, modelReferences: [] });
});
