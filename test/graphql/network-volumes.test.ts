// Network volumes over GraphQL.

import assert from "node:assert/strict";
import { test } from "node:test";
import { simulatedService } from "../pods/fixture.ts";
import { ask, refusal } from "./ask.ts";

const make = `mutation ($input: CreateNetworkVolumeInput) { createNetworkVolume(input: $input) {
  id name size dataCenterId dataCenter { id name location storageSupport } } }`;
const input = { name: "v", size: 10, dataCenterId: "EU-RO-1" };

test("a network volume is created, mounted, grown and deleted", async (t) => {
  const service = await simulatedService(t);
  const { createNetworkVolume: created } = await ask(service, make, { input });
  assert.partialDeepStrictEqual(created, {
    ...input,
    dataCenter: { id: "EU-RO-1", location: "Romania", storageSupport: true },
  });
  const { id } = created;
  const deploy = `mutation ($input: PodFindAndDeployOnDemandInput) {
    podFindAndDeployOnDemand(input: $input) { id networkVolumeId networkVolume { name } volumeInGb } }`;
  const pod = { driver: "simulated", imageName: "i", gpuTypeId: "NVIDIA A40", networkVolumeId: id };
  const { podFindAndDeployOnDemand: mounting } = await ask(service, deploy, { input: pod });
  assert.partialDeepStrictEqual(mounting, {
    networkVolumeId: id,
    networkVolume: { name: "v" },
    volumeInGb: 0,
  });
  const drop = `mutation { deleteNetworkVolume(input: {id: "${id}"}) }`;
  assert.equal((await refusal(service, drop)).extensions.code, "network_volume_in_use");
  const grow = `mutation { updateNetworkVolume(input: {id: "${id}", size: 20, name: "w"}) { id name size } }`;
  assert.deepEqual((await ask(service, grow)).updateNetworkVolume, { id, name: "w", size: 20 });
  assert.deepEqual((await service.call("GET", `/v1/networkvolumes/${id}`)).json.size, 20);
  const { myself } = await ask(
    service,
    "{ myself { networkVolumes { id dataCenter { id } } pods { networkVolumeId } } }",
  );
  assert.deepEqual(myself, {
    networkVolumes: [{ id, dataCenter: { id: "EU-RO-1" } }],
    pods: [{ networkVolumeId: id }],
  });
  await ask(service, `mutation { podTerminate(input: {podId: "${mounting.id}"}) }`);
  assert.deepEqual(await ask(service, drop), { deleteNetworkVolume: null });
  assert.match(
    (await refusal(service, drop)).message,
    /Tried to delete nonexistent network volume/,
  );
});

test("an endpoint shows its volumes with their data centers", async (t) => {
  const service = await simulatedService(t);
  const { createNetworkVolume: created } = await ask(service, make, { input });
  const save = `mutation ($input: EndpointInput!) { saveEndpoint(input: $input) {
    networkVolumeId networkVolumeIds { networkVolumeId dataCenterId } networkVolume { id dataCenterId } } }`;
  const template = { imageName: "i", driver: "simulated" };
  const { saveEndpoint } = await ask(service, save, {
    input: { name: "eee", template, networkVolumeIds: [{ networkVolumeId: created.id }] },
  });
  assert.deepEqual(saveEndpoint, {
    networkVolumeId: created.id,
    networkVolumeIds: [{ networkVolumeId: created.id, dataCenterId: "EU-RO-1" }],
    networkVolume: { id: created.id, dataCenterId: "EU-RO-1" },
  });
});

test("an invalid volume is refused with a sentence", async (t) => {
  const service = await simulatedService(t);
  const rows: [input: object, message: RegExp][] = [
    [{ ...input, size: 0 }, /"size" must be a whole number/],
    [{ ...input, name: "" }, /"name" is missing/],
    [{ ...input, dataCenterId: "MARS" }, /"MARS"/],
    [{ ...input, size: 9_999 }, /"size"/],
  ];
  for (const [input, message] of rows) {
    const error = await refusal(service, make, { input });
    assert.equal(error.extensions.code, "invalid_body");
    assert.match(error.message, message);
  }
  const { createNetworkVolume: created } = await ask(service, make, { input });
  const less = `mutation { updateNetworkVolume(input: {id: "${created.id}", size: 5}) { id } }`;
  assert.match((await refusal(service, less)).message, /can only grow/);
});
