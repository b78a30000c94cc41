// Tests of official templates: the gallery and the operator's folder over every interface, Pods and
// endpoints created from them, and that no account can change them.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { readConfig } from "../../src/config/config.ts";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";

const NOTES = `
id: team-notes
aliases: [runpod-notes]
name: Team notes
imageName: acme/notes:1
isServerless: true
volumeInGb: 0
ports: [8000/http]
env: { PORT: "8000" }
`;

/** A folder with these files, and the configuration that reads it. */
function folderWith(t: TestContext, files: Record<string, string>) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-templates-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return { FREEHOLD_TEMPLATES: folder };
}

async function graphql(service: TestService, query: string) {
  const { json } = await service.call("POST", "/graphql", { query });
  return json;
}

test("official templates are the same for every account, and no account changes them", async (t) => {
  const service = await startService(t, { env: folderWith(t, { "notes.yaml": NOTES }) });
  const other = await createOtherAccount(service);
  const list = "/v1/templates?includeRunpodTemplates=true";
  const { json: official } = await service.call("GET", list);
  assert.deepEqual((await service.call("GET", list, undefined, other)).json, official);
  assert.deepEqual((await service.call("GET", "/v1/templates")).json, []);
  const ids = official.map(({ id }: { id: string }) => id);
  for (const id of ["pytorch", "code-server", "vllm", "vllm-load-balanced", "ollama", "comfyui"]) {
    assert.ok(ids.includes(id), id);
  }
  for (const id of ["stable-diffusion", "whisper", "postgres", "ubuntu", "team-notes"]) {
    assert.ok(ids.includes(id), id);
  }
  assert.ok(official.every((each: { isRunpod: boolean }) => each.isRunpod));

  const v2 = await service.call("GET", "/v2/catalog/templates");
  assert.deepEqual(
    v2.json.templates.map(({ id }: { id: string }) => id),
    ids,
  );
  assert.equal((await service.call("GET", "/v2/templates/runpod-torch-v21")).json.startSsh, true);
  assert.deepEqual((await service.call("GET", "/v2/templates")).json.templates, []);
  const { data } = await graphql(
    service,
    `{ podTemplates(input: {isRunpod: true}) { id userId } podTemplate(id: "runpod-notes") { id isRunpod }
      myself { podTemplates { id } } }`,
  );
  assert.deepEqual(
    data.podTemplates,
    ids.map((id: string) => ({ id, userId: null })),
  );
  assert.deepEqual(data.podTemplate, { id: "runpod-notes", isRunpod: true });
  assert.deepEqual(data.myself.podTemplates, []);

  const one = "/v1/templates/runpod-torch-v21";
  assert.equal((await service.call("GET", one)).status, 404, "only on request, as in lists");
  const read = await service.call("GET", `${one}?includeRunpodTemplates=true`);
  assert.equal(read.json.id, "runpod-torch-v21");
  const changes = [
    await service.call("PATCH", one, { name: "mine" }),
    await service.call("DELETE", one),
    await service.call("PATCH", "/v2/templates/pytorch", { name: "mine" }),
    await service.call("DELETE", "/v2/templates/pytorch"),
  ];
  for (const { status, json } of changes) {
    assert.deepEqual([status, json.code], [403, "template_official"]);
  }
  for (const mutation of [
    'saveTemplate(input: {id: "pytorch", name: "mine"}) { id }',
    'deleteTemplate(templateName: "PyTorch and Jupyter")',
  ]) {
    const { errors } = await graphql(service, `mutation { ${mutation} }`);
    assert.equal(errors[0].extensions.code, "template_official", mutation);
  }
  assert.deepEqual((await service.call("GET", list)).json, official);
});

test("a Pod takes the image, command, ports, variables and disks of an official template", async (t) => {
  const service = await startService(t, { drivers: "simulated" });
  const list = await service.call("GET", "/v1/templates?includeRunpodTemplates=true");
  const template = list.json.find(({ id }: { id: string }) => id === "postgres");
  const torch = list.json.find(({ id }: { id: string }) => id === "pytorch");
  const onCpu = { driver: "simulated", computeType: "CPU", env: { POSTGRES_DB: "app" } };
  const v1 = await service.call("POST", "/v1/pods", { ...onCpu, templateId: "postgres" });
  assert.equal(v1.status, 201, v1.text);
  const { image, ports, env, containerDiskInGb, volumeInGb, dockerStartCmd } = v1.json;
  assert.deepEqual(
    { image, ports, env, containerDiskInGb, volumeInGb, dockerStartCmd },
    {
      image: template.imageName,
      ports: template.ports,
      env: { ...template.env, POSTGRES_DB: "app" },
      containerDiskInGb: template.containerDiskInGb,
      volumeInGb: template.volumeInGb,
      dockerStartCmd: template.dockerStartCmd,
    },
  );
  const withTemplate = await service.call("GET", `/v1/pods/${v1.json.id}?includeTemplate=true`);
  assert.deepEqual(withTemplate.json.template, template);

  const onGpu = { driver: "simulated", templateId: "runpod-torch-v21" };
  const v1Gpu = { ...onGpu, gpuTypeIds: ["NVIDIA L4"] };
  const byAlias = await service.call("POST", "/v1/pods", v1Gpu);
  const v2Body = { ...onGpu, name: "p", gpu: { id: "NVIDIA L4" } };
  const v2 = await service.call("POST", "/v2/pods", v2Body);
  assert.equal(v2.status, 201, v2.text);
  const deployed = await graphql(
    service,
    `mutation { podFindAndDeployOnDemand(input: {gpuTypeId: "NVIDIA L4", gpuCount: 1,
      driver: "simulated", templateId: "runpod-torch-v21"}) { id } }`,
  );
  assert.equal(deployed.errors, undefined);
  for (const id of [
    byAlias.json.id,
    v2.json.id,
    deployed.data.podFindAndDeployOnDemand.id,
  ] as string[]) {
    const { json: pod } = await service.call("GET", `/v1/pods/${id}`);
    assert.equal(pod.image, torch.imageName);
    assert.equal(pod.templateId, "runpod-torch-v21");
    assert.deepEqual(pod.ports, torch.ports);
    assert.deepEqual(pod.dockerStartCmd, torch.dockerStartCmd);
    assert.equal(pod.containerDiskInGb, torch.containerDiskInGb);
    assert.match(pod.env.JUPYTER_PASSWORD, /^\w{32}$/);
  }
});

test("an endpoint has a copy of an official template, which is deleted with it", async (t) => {
  const service = await startService(t, { env: folderWith(t, { "notes.yaml": NOTES }) });
  const all = "/v1/templates?includeEndpointBoundTemplates=true";
  const create = { templateId: "team-notes", name: "notes" };
  const { status, json: endpoint, text } = await service.call("POST", "/v1/endpoints", create);
  assert.equal(status, 200, text);
  const [copy] = (await service.call("GET", all)).json;
  assert.equal(endpoint.templateId, copy.id);
  assert.deepEqual([copy.imageName, copy.isRunpod, copy.isPublic], ["acme/notes:1", false, false]);
  const one = `/v1/endpoints/${endpoint.id}`;
  const same = await service.call("PATCH", one, { templateId: "runpod-notes" });
  assert.deepEqual([same.json.templateId, same.json.version], [copy.id, endpoint.version]);
  const moved = await service.call("PATCH", one, { templateId: "vllm-load-balanced" });
  assert.equal(moved.json.version, endpoint.version + 1, moved.text);
  const { data, errors } = await graphql(
    service,
    `mutation { saveEndpoint(input: {name: "b", templateId: "vllm", gpuIds: "AMPERE_24"}) { id } }`,
  );
  assert.equal(errors, undefined);
  const v2Body = {
    name: "c",
    type: "QUEUE",
    gpu: { pools: ["AMPERE_24"] },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    templateId: "team-notes",
  };
  const v2 = await service.call("POST", "/v2/serverless", v2Body);
  assert.deepEqual([v2.status, v2.json.image], [201, "acme/notes:1"], v2.text);
  const images = (await service.call("GET", all)).json.map(
    (each: { imageName: string }) => each.imageName.split(":")[0],
  );
  assert.deepEqual(images, ["vllm/vllm-openai", "runpod/worker-v1-vllm", "acme/notes"]);
  for (const id of [endpoint.id, data.saveEndpoint.id, v2.json.id]) {
    await service.call("DELETE", `/v1/endpoints/${id}`);
  }
  assert.deepEqual((await service.call("GET", all)).json, []);
});

test("a start with wrong templates reports every error; a known id replaces its template", (t) => {
  const read = (files: Record<string, string>) => readConfig({}, folderWith(t, files), tmpdir());
  const own = { "ubuntu.yml": "id: ubuntu\nname: Ours\nimageName: acme/ubuntu:1" };
  const { officialTemplates } = read({ ...own, "README.md": "not a template" });
  assert.equal(officialTemplates.find("ubuntu")?.name, "Ours");
  assert.equal(officialTemplates.all.filter(({ id }) => id === "ubuntu").length, 1);
  const wrong = {
    "a.yaml": "id: abcdefghij\nname: a\nimageName: i\nimgName: i\nenv: { PORT: 80 }",
    "b.yaml": "id: b\nname: b\nimageName: i\nports: [99999/http]\naliases: [postgres]",
    "c.yaml": "id: c\nname: c\nimageName: i\naliases: [postgres, d]",
    "d.yaml": "id: d\nname: d\nimageName: i",
    "e.yaml": "id: [",
    "f.yaml": "a text",
  };
  try {
    read(wrong);
    assert.fail("the configuration was accepted");
  } catch (error) {
    const { message } = error as Error;
    for (const each of [
      /a\.yaml: "imgName" is not known/,
      /a\.yaml: "id" must be .* ids of the accounts' templates/,
      /a\.yaml: "env\.PORT" must be a string; it is 80/,
      /b\.yaml: .*1 to 65535/,
      /"d" as an id or an alias more than once/,
      /alias "postgres", which is another's id/,
      /e\.yaml: it cannot be read: /,
      /f\.yaml: The body must be a JSON object/,
    ]) {
      assert.match(message, each);
    }
  }
  const missing = { FREEHOLD_TEMPLATES: path.join(tmpdir(), "freehold-no-such-folder") };
  assert.throws(() => readConfig({}, missing, tmpdir()), /FREEHOLD_TEMPLATES must be a folder/);
});
