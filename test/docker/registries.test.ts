// Private images: the right password pulls, a wrong one and none are told of, and what one account has
// pulled is no other's.

import assert from "node:assert/strict";
import { test } from "node:test";
import { missing } from "../../src/drivers/docker/engine.testing.ts";
import { podsOf, until } from "../pods/stage.ts";
import { makeStranger } from "../stranger.ts";
import { startContainerHouse } from "./container-house.ts";
import { CREDENTIALS, pushPrivate, startRegistry } from "./registry.ts";

const small = { computeType: "CPU", vcpuCount: 2, volumeInGb: 0, containerDiskInGb: 1 };
const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const options = { env: { FREEHOLD_MACHINE: machine }, protocol: { endGraceMs: 500 } };
const sleeping = { dockerEntrypoint: ["bash", "-c"], dockerStartCmd: ["sleep 1000"] };

test("a private image is pulled with its password, and by nobody without", {
  skip: missing,
}, async (t) => {
  const house = await startContainerHouse(t, options);
  const registry = await startRegistry(t);
  const imageName = pushPrivate(t, house, registry.closed);
  const stranger = await makeStranger(house);
  const keep = async (name: string, password: string, headers = {}) => {
    const body = { name, ...CREDENTIALS, password };
    return (await house.call("POST", "/v1/containerregistryauth", body, headers)).json.id;
  };
  const [right, wrong] = [await keep("right", CREDENTIALS.password), await keep("wrong", "horse")];
  const make = async (body: object, headers: Record<string, string> = {}) => {
    const pod = { ...small, imageName, ...sleeping, ...body };
    const { json, text } = await house.call("POST", "/v1/pods", pod, headers);
    assert.ok(json.id, text);
    return json.id as string;
  };
  const refused = async (id: string, headers: Record<string, string> = {}) => {
    const why = await until(async () => {
      const { json } = await house.call("GET", `/v1/why/${id}`, undefined, headers);
      return json.code === "pod_start_failing" ? json : null;
    }, id);
    assert.equal(why.evidence.cause, "image_unauthorised", why.sentence);
    assert.ok(!JSON.stringify(why).includes(CREDENTIALS.password));
    await house.call("DELETE", `/v1/pods/${id}`, undefined, headers);
  };
  await refused(await make({}));
  await refused(await make({ containerRegistryAuthId: wrong }));
  const pod = await make({ containerRegistryAuthId: right });
  await until(podsOf(house).reached, pod);

  // The image lies on the engine now, for those who may have it.
  await refused(await make({}));
  await refused(await make({}, stranger), stranger);
  const theirs = await keep("theirs", CREDENTIALS.password, stranger);
  const shown = await make({ containerRegistryAuthId: theirs }, stranger);
  await until(async () => {
    const { json } = await house.call("GET", `/v1/pods/${shown}`, undefined, stranger);
    return json.publicIp;
  }, shown);
  const id = house.docker("images", "--quiet", "--no-trunc", imageName);
  await refused(await make({ imageName: id }, stranger), stranger);
  // Who has shown it is not asked again.
  registry.stop();
  await until(podsOf(house).reached, await make({ containerRegistryAuthId: right }));
});

test("an endpoint's workers are started with their template's credentials", {
  skip: missing,
}, async (t) => {
  const house = await startContainerHouse(t, options);
  const registry = await startRegistry(t);
  const imageName = pushPrivate(t, house, registry.closed);
  const auth = { name: "right", ...CREDENTIALS };
  const { json: made } = await house.call("POST", "/v1/containerregistryauth", auth);
  const template = { name: "t", imageName, ...sleeping, containerRegistryAuthId: made.id };
  const { json } = await house.call("POST", "/v1/templates", template);
  const wanted = { templateId: json.id, workersMin: 1, workersMax: 1, computeType: "CPU" };
  const { json: endpoint } = await house.call("POST", "/v1/endpoints", wanted);
  await until(async () => {
    const { json: workers } = await house.call("GET", `/v1/endpoints/${endpoint.id}/workers`);
    return workers.some(({ startedAt }: { startedAt?: string }) => startedAt) || null;
  }, "");
  const held = await house.call("DELETE", `/v1/containerregistryauth/${made.id}`);
  assert.equal(held.json.code, "registry_auth_in_use");
});
