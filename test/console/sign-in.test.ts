// Signing in, signing out, and expired sessions.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { openConsole, openWindow, skipReason, typeKey } from "./browser.ts";

test("a typed key opens the requested page", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const { page, context, errors: complaints } = await openWindow(t, service);
  await page.goto("/pods");
  await typeKey(page, "fh_mistyped");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("Invalid API key").waitFor();
  await typeKey(page, service.key);
  await page.getByLabel("API key").press("Enter");
  await page.getByRole("heading", { name: "Pods", level: 1 }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/pods");
  const stored = await page.evaluate<string>(
    "JSON.stringify({ ...localStorage, ...sessionStorage })",
  );
  assert.ok(!stored.includes(service.key), "the key is kept nowhere");
  assert.equal(await page.evaluate("document.cookie"), "", "no script reads the cookie");
  const [cookie] = await context.cookies();
  assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, "Strict"]);
  assert.deepEqual(complaints, []);
});

test("the printed link signs in once and leaves no key in the address", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const { page, errors: complaints } = await openWindow(t, service);
  await page.goto(`/#key=${service.key}`);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  assert.equal(page.url(), `${service.origin}/`);
  await page.goBack();
  assert.ok(!page.url().includes(service.key));
  assert.deepEqual(complaints, []);
});

test("signing out ends the session on the service", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  const { page } = await openConsole(t, service);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Password", { exact: true }).waitFor();
  assert.deepEqual((await service.call("GET", "/v1/sessions")).json, []);
});

test("a page whose session has expired keeps what was typed until the next sign-in", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const { page, context, errors: complaints } = await openConsole(t, service, { at: "/secrets" });
  await page.getByRole("button", { name: "New secret" }).first().click();
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("hf_token");
  const endSession = async () => {
    const [session] = (await service.call("GET", "/v1/sessions")).json;
    await service.call("DELETE", `/v1/sessions/${session.id}`);
    await page.getByText("Your session has expired").waitFor();
  };
  await endSession();
  await page.keyboard.press("Escape");
  await typeKey(page, "fh_mistyped");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("Invalid API key").waitFor();
  await typeKey(page, service.key);
  await page.keyboard.press("Enter");
  await page.getByText("Your session has expired").waitFor({ state: "detached" });
  assert.equal(await name.inputValue(), "hf_token");
  assert.equal(await name.evaluate((field) => field.matches(":focus")), true);
  await page.keyboard.press("Escape");
  await service.call("POST", "/v1/secrets", { name: "created_meanwhile", value: "1" });
  await page.getByText("created_meanwhile").first().waitFor(); // changes arrive again

  await endSession();
  const other = await context.newPage();
  await other.goto("/");
  await typeKey(other, service.key);
  await other.keyboard.press("Enter");
  await other.getByRole("heading", { name: "Overview" }).waitFor();
  await page.evaluate("window.dispatchEvent(new Event('focus'))");
  await page.getByText("Your session has expired").waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
});
