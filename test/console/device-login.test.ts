// The page on which a person approves or denies the login of a command-line client.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { openWindow, skipReason, typeKey } from "./browser.ts";

const BEGIN = "mutation { createFlashAuthRequest { id } }";
const STATUS = `query ($id: String!) { flashAuthRequestStatus(flashAuthRequestId: $id) { status apiKey } }`;

test("a person signs in, approves one login and denies another", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const send = async (query: string, variables?: object) => {
    const noKey = { authorization: "", "user-agent": "flash/1.21.0" };
    return (await service.call("POST", "/graphql", { query, variables }, noKey)).json.data;
  };
  const begin = async (): Promise<string> => (await send(BEGIN)).createFlashAuthRequest.id;
  const poll = async (id: string) => (await send(STATUS, { id })).flashAuthRequestStatus;

  const { page, errors } = await openWindow(t, service);
  const approved = await begin();
  await page.goto(`/flash/login?request=${approved}`);
  await typeKey(page, service.key);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("flash/1.21.0").waitFor();
  const { PICTURES: folder } = process.env;
  if (folder) await page.screenshot({ path: `${folder}/device-login.png` });
  await page.getByLabel("Name of the new key").fill("build machine");
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Login approved").waitFor();
  const { status, apiKey } = await poll(approved);
  assert.equal(status, "APPROVED");
  await page.goto("/keys");
  await page.getByText("build machine").waitFor();
  assert.ok(apiKey);

  const denied = await begin();
  await page.goto(`/flash/login?request=${denied}`);
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByText("Login denied").waitFor();
  assert.deepEqual(await poll(denied), { status: "DENIED", apiKey: null });
  await page.goto("/flash/login");
  await page.getByText("This link is incomplete").waitFor();
  assert.deepEqual(errors, []);
});
