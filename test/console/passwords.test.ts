// A member's way through passwords and one-time codes, on a phone in the dark: invited, signed in, reset by an admin.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { type TOTP, URI } from "otpauth";
import type { Page } from "playwright-core";
import { invite, join } from "../accounts/join.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { openConsole, openWindow, skipReason } from "./browser.ts";
import { checkPage, PHONE } from "./page-checks.ts";

const FIRST = "correct horse battery";
const SECOND = "staple of the harbour";
const THIRD = "lantern under the pier";

test("an invited member gets a password and one-time codes, and an admin resets them", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const { page, errors: complaints } = await openWindow(t, service, PHONE);
  await acceptWithPassword(service, page);
  await signOut(page);
  await enterPassword(page, "not the password");
  await page.getByText("The e-mail address or the password is not right").waitFor();
  assert.equal(await page.getByLabel("Email").inputValue(), "ada@example.org");
  await look(page, "sign-in-refused");
  await page.getByLabel("Password", { exact: true }).fill(FIRST);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();

  const { app, recoveryCode } = await turnOnCodes(page);
  await signOut(page);
  await enterPassword(page, FIRST);
  const code = page.getByLabel("Code", { exact: true });
  await code.fill("000000");
  await page.keyboard.press("Enter");
  await page.getByText("The code is not right").waitFor();
  await look(page, "sign-in-code");
  await code.fill(app.generate({ timestamp: Date.now() + 30_000 })); // each code works once
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();

  await changePassword(page);
  const link = await createResetLink(service, t);
  await page.goto(link);
  await page.getByLabel("New password", { exact: true }).fill(THIRD);
  await page.keyboard.press("Enter");
  await code.fill(recoveryCode);
  await look(page, "password-reset");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.goto(link);
  await page.getByLabel("New password", { exact: true }).fill(FIRST);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  await look(page, "password-reset-over");
  await turnOffCodes(page);
  assert.deepEqual(complaints.filter(isUnexpected), []);
});

test("a person whose password opens several accounts chooses one", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  const { json: other } = await service.call("POST", "/v1/accounts", { name: "Harbour" });
  const asOther = { authorization: `Bearer ${other.key}` };
  const body = { email: "ada@example.org", role: "dev" };
  const { json: invitation } = await service.call("POST", "/v1/invitations", body, asOther);
  const ada = await join(service, "dev", "Ada", "ada@example.org");
  await ada.call("PUT", "/v1/members/me/password", { password: FIRST });
  const accept = { token: invitation.token, password: FIRST };
  await service.call("POST", "/v1/invitations/accept", accept, { authorization: "" });

  const { page, errors: complaints } = await openWindow(t, service);
  await page.goto("/sign-in");
  await enterPassword(page, FIRST);
  await page.getByRole("heading", { name: "Which account" }).waitFor();
  await look(page, "sign-in-account");
  await page.getByRole("button", { name: "Harbour" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.getByText("Harbour").first().waitFor();
  assert.deepEqual(complaints.filter(isUnexpected), []);
});

/** The page shows these refusals; Chromium logs them as well. */
const isUnexpected = (complaint: string) => !/status of (?:400|403|409)/.test(complaint);

async function acceptWithPassword(service: TestService, page: Page): Promise<void> {
  await page.goto((await invite(service, "dev", "ada@example.org")).link);
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("Password", { exact: true }).fill("password");
  await page.getByRole("button", { name: "Accept invitation" }).click();
  await page.getByText("The password is").waitFor();
  await look(page, "invitation");
  await page.getByLabel("Password", { exact: true }).fill(FIRST);
  await page.keyboard.press("Enter");
  await page.getByText("for the command line").waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
}

async function enterPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel("Email").fill("ada@example.org");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}

async function turnOnCodes(page: Page): Promise<{ app: TOTP; recoveryCode: string }> {
  await page.goto("/settings");
  const [response] = await Promise.all([
    page.waitForResponse((each) => each.url().endsWith("/v1/members/me/totp")),
    page.getByRole("button", { name: "Turn on" }).click(),
  ]);
  const { secret, uri } = await response.json();
  const app = URI.parse(uri) as TOTP;
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("img", { name: "QR code for an authenticator app" }).waitFor();
  await dialog.getByRole("button", { name: `Copy ${secret}` }).waitFor();
  await look(page, "one-time-codes");
  await dialog.getByLabel("Code", { exact: true }).fill(app.generate());
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Save your recovery codes" }).waitFor();
  await look(page, "recovery-codes");
  const codes = await dialog.getByRole("listitem").allTextContents();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("link", { name: "Download" }).click(),
  ]);
  const text = readFileSync(await download.path(), "utf8");
  for (const each of codes) assert.ok(text.includes(each), each);
  await page.emulateMedia({ media: "print" });
  assert.ok(await dialog.getByText(codes[0]!).isVisible());
  assert.equal(await dialog.getByRole("link", { name: "Download" }).isVisible(), false);
  await page.emulateMedia({ media: "screen" });
  await dialog.getByRole("button", { name: "I have saved them" }).click();
  await page.getByRole("button", { name: "Turn off" }).waitFor();
  await look(page, "settings-sign-in");
  return { app, recoveryCode: codes[0]! };
}

async function createResetLink(service: TestService, t: TestContext): Promise<string> {
  const { page, errors: complaints } = await openConsole(t, service, { at: "/members" });
  await page.getByLabel("Actions for Ada").click();
  await page.getByRole("menuitem", { name: "Reset password" }).click();
  await page.getByRole("checkbox", { name: "Turn off their one-time codes" }).waitFor();
  await page.getByRole("button", { name: "Create link" }).click();
  await page.getByText("It works once, until").waitFor();
  await look(page, "members-reset");
  assert.deepEqual(complaints, []);
  return (await page.getByRole("dialog").locator("pre").textContent()) ?? "";
}

async function turnOffCodes(page: Page): Promise<void> {
  await page.goto("/settings");
  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByLabel("Your password", { exact: true }).fill(THIRD);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Turn on" }).waitFor();
}

async function changePassword(page: Page): Promise<void> {
  await page.goto("/settings");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByLabel("Current password", { exact: true }).fill("not the password");
  await page.getByLabel("New password", { exact: true }).fill(SECOND);
  await page.keyboard.press("Enter");
  await page.getByText("The current password is not right").waitFor();
  await look(page, "change-password");
  await page.getByLabel("Current password", { exact: true }).fill(FIRST);
  await page.keyboard.press("Enter");
  await page.getByText("Password changed", { exact: true }).waitFor();
}

/** Checks the page as it is; PICTURES names a folder for its pictures. */
async function look(page: Page, name: string): Promise<void> {
  await checkPage(page, name, true);
  const { PICTURES: folder } = process.env;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}
