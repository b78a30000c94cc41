// Container registry auths, secrets and SSH keys over GraphQL.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startHouse } from "../house.ts";
import { fakeHouse } from "../pods/stage.ts";
import { ask, post, refusal } from "./ask.ts";

const ed25519 = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2xUqKQ5b4r3pCk8F1dX0e9mQv7ZrS6tYwLhNa0KcVd";

test("a container registry auth is saved, changed, used and deleted, and never shown", async (t) => {
  const house = await fakeHouse(t);
  const save = `mutation { saveRegistryAuth(input: {name: "hub", username: "u", password: "hunter2"}) {
    id name registryAuth userId } }`;
  const { saveRegistryAuth: made } = await ask(house, save);
  assert.deepEqual([made.name, made.registryAuth], ["hub", null]);
  const { id } = made;
  const update = `mutation { updateRegistryAuth(input: {id: "${id}", username: "u", password: "swordfish"}) { id name } }`;
  assert.deepEqual((await ask(house, update)).updateRegistryAuth, { id, name: "hub" });
  const read = await post(house, "{ myself { containerRegistryCreds { id name registryAuth } } }");
  assert.deepEqual(read.json.data.myself.containerRegistryCreds, [
    { id, name: "hub", registryAuth: null },
  ]);
  assert.doesNotMatch(read.text, /hunter2|swordfish/);
  const pod = `mutation { podFindAndDeployOnDemand(input: {driver: "fake", imageName: "i", gpuTypeId: "NVIDIA A40",
    containerRegistryAuthId: "${id}"}) { id containerRegistryAuthId } }`;
  const { podFindAndDeployOnDemand: using } = await ask(house, pod);
  assert.equal(using.containerRegistryAuthId, id);
  const drop = `mutation { deleteRegistryAuth(registryAuthId: "${id}") }`;
  assert.equal((await refusal(house, drop)).extensions.code, "registry_auth_in_use");
  const without = `mutation { podEditJob(input: {podId: "${using.id}", imageName: "j", containerRegistryAuthId: ""}) { id } }`;
  await ask(house, without);
  await ask(house, `mutation { podTerminate(input: {podId: "${using.id}"}) }`);
  assert.deepEqual(await ask(house, drop), { deleteRegistryAuth: null });
  assert.equal((await refusal(house, drop)).extensions.code, "registry_auth_not_found");
  assert.equal((await refusal(house, update)).extensions.code, "registry_auth_not_found");
  assert.equal((await refusal(house, save.replace('"u"', '""'))).extensions.code, "invalid_body");
});

test("a secret is made, listed without its value, and deleted", async (t) => {
  const house = await startHouse(t);
  const create =
    'mutation { secretCreate(input: {name: "TOKEN", value: "hunter2"}) { id name description createdAt } }';
  const { secretCreate: made } = await ask(house, create);
  assert.deepEqual([made.name, made.description], ["TOKEN", ""]);
  const read = await post(house, "{ myself { secrets { id name updatedAt } } }");
  assert.equal(read.json.data.myself.secrets[0].id, made.id);
  assert.doesNotMatch(read.text, /hunter2/);
  assert.equal((await refusal(house, create)).extensions.code, "name_taken");
  const drop = `mutation { secretDelete(id: "${made.id}") }`;
  assert.deepEqual(await ask(house, drop), { secretDelete: null });
  assert.equal((await refusal(house, drop)).extensions.code, "secret_not_found");
});

test("the account's SSH keys are one text, and those of REST", async (t) => {
  const house = await startHouse(t);
  const save = (pubKey: string | null) =>
    ask(
      house,
      "mutation ($input: UpdateUserSettingsInput) { updateUserSettings(input: $input) { id pubKey } }",
      {
        input: { pubKey },
      },
    );
  const keys = async () => (await house.call("GET", "/v1/ssh-keys")).json;
  const first = await save(`\n\n${ed25519} me@here\n\n`);
  assert.equal(first.updateUserSettings.pubKey, `${ed25519} me@here`);
  const [{ id }] = await keys();
  assert.equal((await save(null)).updateUserSettings.pubKey, `${ed25519} me@here`);
  await save(`${ed25519} renamed`);
  assert.equal((await keys())[0].id, id);
  const wrong = 'mutation { updateUserSettings(input: {pubKey: "ssh-rsa nonsense"}) { id } }';
  assert.match((await refusal(house, wrong)).message, /^Key 1 of "pubKey" is not taken/);
  assert.equal((await save("")).updateUserSettings.pubKey, "");
  assert.deepEqual(await keys(), []);
});
