// Network volumes over GraphQL.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeHouse } from "../pods/stage.ts";
import { ask, refusal } from "./ask.ts";

const make = `mutation ($input: CreateNetworkVolumeInput) { createNetworkVolume(input: $input) {
  id name size dataCenterId dataCenter { id name location storageSupport } } }`;
const input = { name: "v", size: 10, dataCenterId: "EU-RO-1" };

test("a network volume is made, mounted, grown and deleted", async (t) => {
  const house = await fakeHouse(t);
  const { createNetworkVolume: made } = await ask(house, make, { input });
  assert.partialDeepStrictEqual(made, {
    ...input,
    dataCenter: { id: "EU-RO-1", location: "Romania", storageSupport: true },
  });
  const { id } = made;
  const deploy = `mutation ($input: PodFindAndDeployOnDemandInput) {
    podFindAndDeployOnDemand(input: $input) { id networkVolumeId networkVolume { name } volumeInGb } }`;
  const pod = { driver: "fake", imageName: "i", gpuTypeId: "NVIDIA A40", networkVolumeId: id };
  const { podFindAndDeployOnDemand: mounting } = await ask(house, deploy, { input: pod });
  assert.partialDeepStrictEqual(mounting, {
    networkVolumeId: id,
    networkVolume: { name: "v" },
    volumeInGb: 0,
  });
  const drop = `mutation { deleteNetworkVolume(input: {id: "${id}"}) }`;
  assert.equal((await refusal(house, drop)).extensions.code, "network_volume_in_use");
  const grow = `mutation { updateNetworkVolume(input: {id: "${id}", size: 20, name: "w"}) { id name size } }`;
  assert.deepEqual((await ask(house, grow)).updateNetworkVolume, { id, name: "w", size: 20 });
  assert.deepEqual((await house.call("GET", `/v1/networkvolumes/${id}`)).json.size, 20);
  const { myself } = await ask(
    house,
    "{ myself { networkVolumes { id dataCenter { id } } pods { networkVolumeId } } }",
  );
  assert.deepEqual(myself, {
    networkVolumes: [{ id, dataCenter: { id: "EU-RO-1" } }],
    pods: [{ networkVolumeId: id }],
  });
  await ask(house, `mutation { podTerminate(input: {podId: "${mounting.id}"}) }`);
  assert.deepEqual(await ask(house, drop), { deleteNetworkVolume: null });
  assert.match((await refusal(house, drop)).message, /Tried to delete nonexistent network volume/);
});

test("an endpoint shows its volumes with their data centers", async (t) => {
  const house = await fakeHouse(t);
  const { createNetworkVolume: made } = await ask(house, make, { input });
  const save = `mutation ($input: EndpointInput!) { saveEndpoint(input: $input) {
    networkVolumeId networkVolumeIds { networkVolumeId dataCenterId } networkVolume { id dataCenterId } } }`;
  const template = { imageName: "i", driver: "fake" };
  const { saveEndpoint } = await ask(house, save, {
    input: { name: "eee", template, networkVolumeIds: [{ networkVolumeId: made.id }] },
  });
  assert.deepEqual(saveEndpoint, {
    networkVolumeId: made.id,
    networkVolumeIds: [{ networkVolumeId: made.id, dataCenterId: "EU-RO-1" }],
    networkVolume: { id: made.id, dataCenterId: "EU-RO-1" },
  });
});

test("what is wrong with a volume is told", async (t) => {
  const house = await fakeHouse(t);
  const rows: [input: object, message: RegExp][] = [
    [{ ...input, size: 0 }, /"size" must be a whole number/],
    [{ ...input, name: "" }, /"name" is missing/],
    [{ ...input, dataCenterId: "MARS" }, /"MARS"/],
    [{ ...input, size: 9_999 }, /"size"/],
  ];
  for (const [input, message] of rows) {
    const told = await refusal(house, make, { input });
    assert.equal(told.extensions.code, "invalid_body");
    assert.match(told.message, message);
  }
  const { createNetworkVolume: made } = await ask(house, make, { input });
  const less = `mutation { updateNetworkVolume(input: {id: "${made.id}", size: 5}) { id } }`;
  assert.match((await refusal(house, less)).message, /can only grow/);
});
