// Container registry auths, secrets and SSH keys over GraphQL.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { simulatedService } from "../pods/fixture.ts";
import { ask, post, refusal } from "./ask.ts";

const ed25519 = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2xUqKQ5b4r3pCk8F1dX0e9mQv7ZrS6tYwLhNa0KcVd";

test("a container registry auth is saved, changed, used and deleted, and never shown", async (t) => {
  const service = await simulatedService(t);
  const save = `mutation { saveRegistryAuth(input: {name: "hub", username: "u", password: "hunter2"}) {
    id name registryAuth userId } }`;
  const { saveRegistryAuth: created } = await ask(service, save);
  assert.deepEqual([created.name, created.registryAuth], ["hub", null]);
  const { id } = created;
  const update = `mutation { updateRegistryAuth(input: {id: "${id}", username: "u", password: "swordfish"}) { id name } }`;
  assert.deepEqual((await ask(service, update)).updateRegistryAuth, { id, name: "hub" });
  const read = await post(
    service,
    "{ myself { containerRegistryCreds { id name registryAuth } } }",
  );
  assert.deepEqual(read.json.data.myself.containerRegistryCreds, [
    { id, name: "hub", registryAuth: null },
  ]);
  assert.doesNotMatch(read.text, /hunter2|swordfish/);
  const pod = `mutation { podFindAndDeployOnDemand(input: {driver: "simulated", imageName: "i", gpuTypeId: "NVIDIA A40",
    containerRegistryAuthId: "${id}"}) { id containerRegistryAuthId } }`;
  const { podFindAndDeployOnDemand: using } = await ask(service, pod);
  assert.equal(using.containerRegistryAuthId, id);
  const drop = `mutation { deleteRegistryAuth(registryAuthId: "${id}") }`;
  assert.equal((await refusal(service, drop)).extensions.code, "registry_auth_in_use");
  const without = `mutation { podEditJob(input: {podId: "${using.id}", imageName: "j", containerRegistryAuthId: ""}) { id } }`;
  await ask(service, without);
  await ask(service, `mutation { podTerminate(input: {podId: "${using.id}"}) }`);
  assert.deepEqual(await ask(service, drop), { deleteRegistryAuth: null });
  assert.equal((await refusal(service, drop)).extensions.code, "registry_auth_not_found");
  assert.equal((await refusal(service, update)).extensions.code, "registry_auth_not_found");
  assert.equal((await refusal(service, save.replace('"u"', '""'))).extensions.code, "invalid_body");
});

test("a secret is created, listed without its value, and deleted", async (t) => {
  const service = await startService(t);
  const create =
    'mutation { secretCreate(input: {name: "TOKEN", value: "hunter2"}) { id name description createdAt } }';
  const { secretCreate: created } = await ask(service, create);
  assert.deepEqual([created.name, created.description], ["TOKEN", ""]);
  const read = await post(service, "{ myself { secrets { id name updatedAt } } }");
  assert.equal(read.json.data.myself.secrets[0].id, created.id);
  assert.doesNotMatch(read.text, /hunter2/);
  assert.equal((await refusal(service, create)).extensions.code, "name_taken");
  const drop = `mutation { secretDelete(id: "${created.id}") }`;
  assert.deepEqual(await ask(service, drop), { secretDelete: null });
  assert.equal((await refusal(service, drop)).extensions.code, "secret_not_found");
});

test("the account's SSH keys are one text, and the same as over REST", async (t) => {
  const service = await startService(t);
  const save = (pubKey: string | null) =>
    ask(
      service,
      "mutation ($input: UpdateUserSettingsInput) { updateUserSettings(input: $input) { id pubKey } }",
      {
        input: { pubKey },
      },
    );
  const keys = async () => (await service.call("GET", "/v1/ssh-keys")).json;
  const first = await save(`\n\n${ed25519} me@here\n\n`);
  assert.equal(first.updateUserSettings.pubKey, `${ed25519} me@here`);
  const [{ id }] = await keys();
  assert.equal((await save(null)).updateUserSettings.pubKey, `${ed25519} me@here`);
  await save(`${ed25519} renamed`);
  assert.equal((await keys())[0].id, id);
  const wrong = 'mutation { updateUserSettings(input: {pubKey: "ssh-rsa nonsense"}) { id } }';
  assert.match((await refusal(service, wrong)).message, /^Key 1 of "pubKey" is not valid/);
  assert.equal((await save("")).updateUserSettings.pubKey, "");
  assert.deepEqual(await keys(), []);
});
