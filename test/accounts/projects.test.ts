// Tests of projects: limits on what their members hold together, in every interface that creates or starts something.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../fixtures/until.ts";
import { simulatedService } from "../pods/fixture.ts";
import { join } from "./join.ts";

const GPU = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"], volumeInGb: 0 };

test("a project's limits are enforced on what its members hold together", async (t) => {
  const service = await simulatedService(t);
  const ada = await join(service, "dev", "Ada");
  const grace = await join(service, "member", "Grace");
  const eve = await join(service, "admin", "Eve");
  const memberIds = [ada.member.id, grace.member.id];
  const body = { name: "vision", memberIds, limits: { gpus: 2 } };
  const { status, json: project } = await eve.call("POST", "/v1/projects", body);
  assert.equal(status, 201);
  assert.deepEqual(project.limits, { gpus: 2 });
  const path = `/v1/projects/${project.id}`;

  const first = await ada.call("POST", "/v1/pods", GPU);
  assert.equal(first.status, 201, first.text);
  assert.equal((await grace.call("POST", "/v1/pods", GPU)).status, 201);
  const sentence =
    /The project \\"vision\\" holds 2 of 2 GPUs, and this adds 1. Stop a Pod, or ask an admin/;
  assert.match((await grace.call("POST", "/v1/pods", GPU)).text, sentence);
  const v2 = { name: "n", image: "i", gpu: { id: "NVIDIA A40", count: 1 } };
  assert.match((await ada.call("POST", "/v2/pods", v2)).text, sentence);
  const input = `imageName: "i", gpuTypeId: "NVIDIA A40", gpuCount: 1, driver: "simulated"`;
  const query = `mutation { podFindAndDeployOnDemand(input: {${input}}) { id } }`;
  assert.match((await ada.call("POST", "/graphql", { query })).text, sentence);
  const { json: quote } = await ada.call("POST", "/v1/quote", { pod: GPU });
  assert.equal(quote.refused.code, "quota_exceeded");
  // Those outside of the project are free to start.
  assert.equal((await eve.call("POST", "/v1/pods", GPU)).status, 201);
  assert.equal((await service.call("POST", "/v1/pods", GPU)).status, 201);

  // A stopped Pod makes room, which a worker of a member's endpoint takes; then the Pod cannot start.
  await ada.call("POST", `/v1/pods/${first.json.id}/stop`);
  const template = { name: "t", imageName: "i", driver: "simulated", isServerless: true };
  const { json } = await ada.call("POST", "/v1/templates", template);
  const endpoint = { name: "e", templateId: json.id, gpuTypeIds: ["NVIDIA A40"], workersMin: 2 };
  const { json: served } = await ada.call("POST", "/v1/endpoints", endpoint);
  const why = await until(async () => {
    const { json: answer } = await ada.call("GET", `/v1/why/${served.id}`);
    return answer.code === "quota_exceeded" ? answer : null;
  });
  assert.match(why.sentence, /The project "vision" holds 2 of 2 GPUs/);
  const start = () => eve.call("POST", `/v1/pods/${first.json.id}/start`);
  assert.match((await start()).text, sentence);

  // A lower limit stops nothing, and says what is over.
  const lowered = await eve.call("PATCH", path, { limits: { gpus: 1 } });
  assert.deepEqual([lowered.json.used.gpus, lowered.json.over], [2, ["2 of 1 GPUs"]]);
  const { json: quota } = await grace.call("GET", "/v1/quota");
  assert.deepEqual(quota.projects[0].over, ["2 of 1 GPUs"]);
  assert.equal((await grace.call("GET", path)).json.used.gpus, 2);

  // A member that leaves takes along what belongs to it, and a deleted project limits nothing.
  const left = await eve.call("PATCH", path, { memberIds: [grace.member.id] });
  assert.deepEqual([left.json.used.gpus, left.json.over], [1, []]);
  assert.equal((await start()).status, 200);
  assert.match((await grace.call("POST", "/v1/pods", GPU)).text, /holds 1 of 1 GPUs/);
  assert.equal((await eve.call("DELETE", path)).status, 204);
  assert.equal((await eve.call("GET", path)).status, 404);
  assert.equal((await grace.call("POST", "/v1/pods", GPU)).status, 201);
});

test("projects are refused where they contradict others, and leave nothing behind", async (t) => {
  const service = await simulatedService(t);
  const ada = await join(service, "dev", "Ada");
  const memberIds = [ada.member.id];
  const create = (body: object) => service.call("POST", "/v1/projects", body);
  const { json: vision } = await create({ name: "vision", memberIds });
  const taken = await create({ name: "vision" });
  assert.match(taken.text, /Another project has the name \\"vision\\"/);
  const elsewhere = await create({ name: "speech", memberIds });
  assert.match(
    elsewhere.text,
    /is in the project \\"vision\\"; a member is in one project at the most/,
  );
  assert.equal((await create({ name: "speech", memberIds: ["nobody"] })).status, 404);
  const unknown = await create({ name: "speech", limits: { gpuTypes: { A40: 1 } } });
  assert.match(unknown.text, /is not a GPU type/);
  for (const body of [
    {},
    { name: "" },
    { name: "x", limits: { gpus: -1 } },
    { name: "x", gpus: 1 },
  ]) {
    assert.equal((await create(body)).status, 400);
  }
  const { json: speech } = await create({ name: "speech" });
  const path = `/v1/projects/${speech.id}`;
  const change = (body: object) => service.call("PATCH", path, body);
  assert.equal((await change({ name: "vision" })).status, 400);
  assert.equal((await change({ name: "sound", memberIds })).status, 400);
  assert.equal((await ada.call("PATCH", path, { name: "mine" })).status, 403);
  const { json: all } = await ada.call("GET", "/v1/projects");
  assert.deepEqual(
    all.map(({ id, name, members }: typeof vision) => [id, name, members]),
    [
      [vision.id, "vision", [{ id: ada.member.id, name: "Ada" }]],
      [speech.id, "speech", []],
    ],
  );
  assert.equal((await change({ name: "sound", limits: { pods: 3 } })).json.limits.pods, 3);
  assert.deepEqual((await change({ limits: { pods: null } })).json.limits, {});

  // What a removed member has left counts until it is taken out.
  await ada.call("POST", "/v1/pods", GPU);
  await service.call("DELETE", `/v1/members/${ada.member.id}`);
  const held = async () => (await service.call("GET", `/v1/projects/${vision.id}`)).json;
  assert.deepEqual([(await held()).used.pods, (await held()).members.length], [1, 1]);
  await service.call("PATCH", `/v1/projects/${vision.id}`, { memberIds: [] });
  assert.equal((await held()).used.pods, 0);
});
