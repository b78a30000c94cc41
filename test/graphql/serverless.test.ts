// Endpoints and templates over GraphQL.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startHouse, type TestHouse } from "../house.ts";
import { ask, refusal } from "./ask.ts";

const saveTemplate = `mutation ($input: SaveTemplateInput) { saveTemplate(input: $input) {
  id name imageName dockerArgs env { key value } ports portsConfig { port name } containerDiskInGb volumeInGb
  volumeMountPath containerRegistryAuthId startJupyter startSsh startScript isServerless isPublic isRunpod readme
  advancedStart category config earned runtimeInMin boundEndpointId } }`;

const saveEndpoint = `mutation ($input: EndpointInput!) { saveEndpoint(input: $input) {
  id name aiKey gpuIds gpuCount idleTimeout locations networkVolumeId networkVolumeIds { networkVolumeId }
  scalerType scalerValue template { id name imageName } templateId type userId version workersMax workersMin
  workersStandby workersPFBTarget env { key value } createdAt allowedCudaVersions minCudaVersion
  executionTimeoutMs instanceIds computeType flashBootType modelReferences activeBuildid idePodId
  flashEnvironmentId } }`;

const plain = { name: "t", imageName: "i", driver: "fake" };

async function makeTemplate(house: TestHouse, more: object = {}) {
  return (await ask(house, saveTemplate, { input: { ...plain, ...more } })).saveTemplate;
}

test("a template is saved, read, changed and deleted by its name", async (t) => {
  const house = await startHouse(t);
  const made = await makeTemplate(house, {
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
  assert.partialDeepStrictEqual(made, {
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
  const { json } = await house.call("GET", `/v1/templates/${made.id}`);
  assert.deepEqual(json.dockerStartCmd, ["python", "-u", "handler.py"]);
  assert.ok(!("portLabels" in json));
  const changed = await makeTemplate(house, {
    id: made.id,
    readme: "new",
    dockerArgs: "",
    category: "NVIDIA",
  });
  assert.deepEqual(
    [changed.id, changed.readme, changed.dockerArgs],
    [made.id, "new", made.dockerArgs],
  );
  assert.deepEqual(changed.portsConfig, made.portsConfig);
  const read = await ask(
    house,
    `query ($id: String!) { podTemplate(id: $id) { id readme } none: podTemplate(id: "nope") { id }
      podTemplates(input: {isServerless: false}) { id } vendor: podTemplates(input: {isRunpod: true}) { id }
      myself { podTemplates { id } } }`,
    { id: made.id },
  );
  assert.deepEqual(read, {
    podTemplate: { id: made.id, readme: "new" },
    none: null,
    podTemplates: [{ id: made.id }],
    vendor: [],
    myself: { podTemplates: [{ id: made.id }] },
  });
  assert.deepEqual(await ask(house, 'mutation { deleteTemplate(templateName: "t") }'), {
    deleteTemplate: null,
  });
  const gone = await refusal(house, 'mutation { deleteTemplate(templateName: "t") }');
  assert.equal(gone.extensions.code, "template_not_found");
});

const wrong: [name: string, input: object, code: string, message: RegExp][] = [
  ["no image", { imageName: "" }, "invalid_body", /"imageName" is missing/],
  ["a taken name", {}, "name_taken", /named "t" exists/],
  ["an unknown id", { id: "nope" }, "template_not_found", /nope/],
  ["a start script", { name: "s", startScript: "echo" }, "not_offered", /"dockerArgs"/],
  ["a port", { name: "p", ports: "99999/http" }, "invalid_body", /1 to 65535/],
  ["a disk", { name: "d", containerDiskInGb: -1 }, "invalid_body", /"containerDiskInGb"/],
];

test("what is wrong with a template is told", async (t) => {
  const house = await startHouse(t);
  const { id } = await makeTemplate(house);
  for (const [name, input, code, message] of wrong) {
    const told = await refusal(house, saveTemplate, { input: { ...plain, ...input } });
    assert.equal(told.extensions.code, code, `${name} ${told.message}`);
    assert.match(told.message, message);
  }
  const fixed = await refusal(house, saveTemplate, { input: { id, isServerless: true } });
  assert.match(fixed.message, /"isServerless" is false, and can only be chosen/);
  assert.match((await refusal(house, saveTemplate)).message, /"input" is missing/);
});

test("an endpoint is saved, read, changed and deleted", async (t) => {
  const house = await startHouse(t);
  const { id: templateId } = await makeTemplate(house);
  const { saveEndpoint: made } = await ask(house, saveEndpoint, {
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
    },
  });
  assert.partialDeepStrictEqual(made, {
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
    type: "QB",
    template: { id: templateId, name: "t", imageName: "i" },
    version: 1,
    instanceIds: [],
  });
  const { saveEndpoint: changed } = await ask(house, saveEndpoint, {
    input: { id: made.id, name: "fff", workersMin: 1 },
  });
  assert.partialDeepStrictEqual(changed, {
    id: made.id,
    name: "fff",
    workersMin: 1,
    workersMax: 3,
    idleTimeout: 10,
    scalerValue: 4,
    scalerType: "REQUEST_COUNT",
    gpuIds: made.gpuIds,
    allowedCudaVersions: made.allowedCudaVersions,
    version: 1,
  });
});

test("an endpoint is read, pointed at another template, and deleted", async (t) => {
  const house = await startHouse(t);
  const { id: templateId } = await makeTemplate(house);
  const { saveEndpoint: made } = await ask(house, saveEndpoint, {
    input: { name: "fff", templateId },
  });
  const read = `{ myself { endpoints { id workersMax networkVolume { id } pods { id desiredStatus machine { id } } }
    endpoint(id: "${made.id}") { name } none: endpoint(id: "nope") { name } serverlessDiscount { type } } }`;
  const { myself } = await ask(house, read);
  assert.deepEqual([myself.endpoints.length, myself.endpoint.name, myself.none], [1, "fff", null]);
  const { id: other } = await makeTemplate(house, { name: "u" });
  const point = `mutation { updateEndpointTemplate(input: {endpointId: "${made.id}", templateId: "${other}"}) { id templateId } }`;
  assert.deepEqual((await ask(house, point)).updateEndpointTemplate, {
    id: made.id,
    templateId: other,
  });
  const inUse = await refusal(house, 'mutation { deleteTemplate(templateName: "u") }');
  assert.equal(inUse.extensions.code, "template_in_use");
  assert.deepEqual(await ask(house, `mutation { deleteEndpoint(id: "${made.id}") }`), {
    deleteEndpoint: null,
  });
  const gone = await refusal(house, `mutation { deleteEndpoint(id: "${made.id}") }`);
  assert.equal(gone.extensions.code, "endpoint_not_found");
});

test("an endpoint may bring its template along: both are made, or neither", async (t) => {
  const house = await startHouse(t);
  const input = {
    name: "eee",
    template: { imageName: "i", driver: "fake" },
    instanceIds: ["cpu3g-4-16", "cpu3c-4-8"],
  };
  const { saveEndpoint: made } = await ask(house, saveEndpoint, { input });
  assert.partialDeepStrictEqual(made, { template: { name: "eee" }, computeType: "CPU" });
  assert.deepEqual(made.instanceIds, ["cpu3g-4-16", "cpu3c-4-8"]);
  const templates = async () => (await ask(house, "{ podTemplates { name } }")).podTemplates.length;
  const taken = await refusal(house, saveEndpoint, { input });
  assert.equal(taken.extensions.code, "name_taken");
  const no = { ...input.template, name: "n", driver: "process" };
  assert.ok((await refusal(house, saveEndpoint, { input: { ...input, template: no } })).message);
  const wrong = { ...input, template: { ...input.template, name: "n" }, workersMin: -1 };
  assert.match((await refusal(house, saveEndpoint, { input: wrong })).message, /"workersMin"/);
  assert.equal(await templates(), 1);
  const { saveEndpoint: changed } = await ask(house, saveEndpoint, {
    input: { id: made.id, name: "eee", template: { imageName: "j" } },
  });
  assert.deepEqual([changed.template.imageName, changed.template.id], ["j", made.template.id]);
  assert.equal(await templates(), 1);
  const halves = [
    { workersMin: 9, workersMax: 3 },
    { networkVolumeId: "nowhere" },
    { template: { imageName: "k", driver: "process" } },
  ];
  for (const half of halves) {
    const both = { id: made.id, name: "fff", template: { imageName: "k" }, ...half };
    assert.ok((await refusal(house, saveEndpoint, { input: both })).message);
    const { json } = await house.call("GET", `/v1/endpoints/${made.id}?includeTemplate=true`);
    assert.deepEqual([json.name, json.template.imageName, json.version], ["eee", "j", 2]);
  }
});

const refused: [name: string, input: object, code: string, message: RegExp][] = [
  ["no template", { templateId: "" }, "invalid_body", /"templateId"/],
  ["an unknown template", { templateId: "nope" }, "invalid_body", /there is no "nope"/],
  ["both", { template: { imageName: "i" } }, "invalid_body", /not both/],
  ["a pool", { gpuIds: "AMPERE_99" }, "invalid_body", /"AMPERE_99"/],
  ["a place", { locations: "MARS" }, "invalid_body", /"MARS"/],
  ["an instance", { instanceIds: ["cpu1"] }, "invalid_body", /"cpu1" is not a CPU instance/],
  ["a scaler", { scalerType: "MAGIC" }, "invalid_body", /"scalerType"/],
  ["a load balancer", { type: "LB" }, "not_offered", /Load-balancing/],
  ["a model", { modelReferences: ["m"] }, "not_offered", /Model references/],
  ["a certification", { compliance: ["HIPAA"] }, "not_offered", /certifications/],
  ["a hub release", { hubReleaseId: "h" }, "not_offered", /hub/],
  ["a repository", { repo: { repoName: "r" } }, "not_offered", /repo/],
  ["variables", { env: [{ key: "A", value: "1" }] }, "not_offered", /template/],
  ["an idle time", { idleTimeout: 0 }, "invalid_body", /"idleTimeout"/],
];

test("what is wrong with an endpoint is told", async (t) => {
  const house = await startHouse(t);
  const { id: templateId } = await makeTemplate(house);
  for (const [name, input, code, message] of refused) {
    const told = await refusal(house, saveEndpoint, {
      input: { name: "eee", templateId, ...input },
    });
    assert.equal(told.extensions.code, code, `${name} ${told.message}`);
    assert.match(told.message, message, name);
  }
  const unknown = await refusal(house, saveEndpoint, { input: { id: "nope", name: "eee" } });
  assert.equal(unknown.extensions.code, "endpoint_not_found");
});
