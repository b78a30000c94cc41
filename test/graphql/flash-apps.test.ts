// Flash apps and environments over GraphQL, with the documents of the Flash client.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { ask, refusal } from "./ask.ts";

const CREATE_APP = `mutation createFlashApp($input: CreateFlashAppInput!) {
  createFlashApp(input: $input) { id name } }`;
const CREATE_ENVIRONMENT = `mutation createFlashEnvironment($input: CreateFlashEnvironmentInput!) {
  createFlashEnvironment(input: $input) { id name } }`;
const APP_BY_NAME = `query getFlashAppByName($flashAppName: String!) {
  flashAppByName(flashAppName: $flashAppName) { id name
    flashEnvironments { id name state activeBuildId createdAt }
    flashBuilds { id objectKey createdAt } } }`;
const ENVIRONMENT = `query getFlashEnvironment($flashEnvironmentId: String!) {
  flashEnvironment(flashEnvironmentId: $flashEnvironmentId) { id name state activeBuildId createdAt
    endpoints { id name } networkVolumes { id name } } }`;
const ENVIRONMENT_BY_NAME = `query getFlashEnvironmentByName($input: FlashEnvironmentByNameInput!) {
  flashEnvironmentByName(input: $input) { id name } }`;
const DELETE_APP = `mutation deleteFlashApp($flashAppId: String!) {
  deleteFlashApp(flashAppId: $flashAppId) }`;
const DELETE_ENVIRONMENT = `mutation deleteFlashEnvironment($flashEnvironmentId: String!) {
  deleteFlashEnvironment(flashEnvironmentId: $flashEnvironmentId) }`;

test("apps and environments are created, read and deleted", async (t) => {
  const service = await startService(t);
  const missing = await refusal(service, APP_BY_NAME, { flashAppName: "shop" });
  // Clients look for this text to learn that they must create the app.
  assert.match(missing.message.toLowerCase(), /app not found/);

  const { createFlashApp: app } = await ask(service, CREATE_APP, { input: { name: "shop" } });
  assert.equal(app.name, "shop");
  const again = await refusal(service, CREATE_APP, { input: { name: "shop" } });
  assert.equal(again.extensions.code, "name_taken");
  for (const name of ["", " shop", "x".repeat(192)]) {
    const refused = await refusal(service, CREATE_APP, { input: { name } });
    assert.equal(refused.extensions.code, "invalid_body");
  }

  const input = { flashAppId: app.id, name: "dev" };
  assert.deepEqual(await ask(service, ENVIRONMENT_BY_NAME, { input }), {
    flashEnvironmentByName: null,
  });
  const { createFlashEnvironment: dev } = await ask(service, CREATE_ENVIRONMENT, { input });
  const taken = await refusal(service, CREATE_ENVIRONMENT, { input });
  assert.equal(taken.extensions.code, "name_taken");
  const lost = await refusal(service, CREATE_ENVIRONMENT, { input: { ...input, flashAppId: "x" } });
  assert.equal(lost.extensions.code, "flash_app_not_found");
  await ask(service, CREATE_ENVIRONMENT, { input: { ...input, name: "production" } });

  const { flashAppByName } = await ask(service, APP_BY_NAME, { flashAppName: "shop" });
  const names = flashAppByName.flashEnvironments.map(({ name }: { name: string }) => name);
  assert.deepEqual([names, flashAppByName.flashBuilds], [["dev", "production"], []]);
  const id = { flashEnvironmentId: dev.id };
  const { flashEnvironment } = await ask(service, ENVIRONMENT, id);
  assert.deepEqual([flashEnvironment.name, flashEnvironment.endpoints], ["dev", []]);
  const byName = await ask(service, ENVIRONMENT_BY_NAME, { input });
  assert.equal(byName.flashEnvironmentByName.id, dev.id);
  const { myself } = await ask(service, "{ myself { flashApps { id flashEnvironments { id } } } }");
  assert.equal(myself.flashApps[0].flashEnvironments.length, 2);

  assert.deepEqual(await ask(service, DELETE_ENVIRONMENT, id), { deleteFlashEnvironment: null });
  const deleted = await refusal(service, DELETE_ENVIRONMENT, id);
  assert.equal(deleted.extensions.code, "flash_environment_not_found");
  assert.deepEqual(await ask(service, ENVIRONMENT, id), { flashEnvironment: null });
});

test("deleting an app deletes its environments and frees its name", async (t) => {
  const service = await startService(t);
  const make = () => ask(service, CREATE_APP, { input: { name: "shop" } });
  const { createFlashApp: app } = await make();
  const input = { flashAppId: app.id, name: "dev" };
  const { createFlashEnvironment: dev } = await ask(service, CREATE_ENVIRONMENT, { input });
  const id = { flashAppId: app.id };
  assert.deepEqual(await ask(service, DELETE_APP, id), { deleteFlashApp: null });
  assert.equal((await refusal(service, DELETE_APP, id)).extensions.code, "flash_app_not_found");
  const environment = { flashEnvironmentId: dev.id };
  assert.deepEqual(await ask(service, ENVIRONMENT, environment), { flashEnvironment: null });
  assert.notEqual((await make()).createFlashApp.id, app.id);
});
