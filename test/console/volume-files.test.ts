// The files of a network volume in the browser, and the keys that open it to S3 clients.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { until } from "../fixtures/until.ts";
import { startS3 } from "../s3/fixture.ts";
import { openConsole, skipReason } from "./browser.ts";

/** One pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("files are uploaded, seen, downloaded and deleted, in folders by path", {
  skip: skipReason,
}, async (t) => {
  const service = await startS3(t);
  const { bucket, folder } = service;
  const { page, errors } = await openConsole(t, service, { at: "/storage" });
  await page.getByRole("link", { name: "data", exact: true }).click();
  await page.getByText("No files yet").waitFor();

  await page.getByRole("button", { name: "New folder" }).click();
  await page.getByLabel("Name").fill("odd # %2F");
  await page.keyboard.press("Enter");
  const link = page.getByRole("link", { name: "odd # %2F" });
  await link.focus();
  await page.keyboard.press("Enter");
  await page.getByText("This folder is empty").waitFor();
  await page.getByLabel("Files to upload").setInputFiles([
    { name: "ü.txt", mimeType: "text/plain", buffer: Buffer.from("hello <b>") },
    { name: "dot.png", mimeType: "image/png", buffer: PNG },
    { name: "raw.bin", mimeType: "", buffer: Buffer.from([0, 255]) },
  ]);
  await page.getByRole("button", { name: "raw.bin", exact: true }).waitFor();
  assert.equal(readFileSync(path.join(folder, "odd # %2F", "ü.txt"), "utf8"), "hello <b>");
  await page.reload();

  await page.getByRole("button", { name: "ü.txt", exact: true }).click();
  await page.getByRole("dialog").getByText("hello <b>").waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download" }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "ü.txt");
  assert.equal(readFileSync((await download.path())!, "utf8"), "hello <b>");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "dot.png", exact: true }).click();
  // The page's policy forbids what waitForFunction does to look twice.
  const width = "document.querySelector(\"img[alt='dot.png']\")?.naturalWidth";
  await until(async () => (await page.evaluate(width)) === 1);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "raw.bin", exact: true }).click();
  await page.getByText("this is not a text or an image").waitFor();
  await page.keyboard.press("Escape");

  // A workload's file is there as well, without any upload.
  mkdirSync(path.join(folder, "odd # %2F", "logs"));
  writeFileSync(path.join(folder, "odd # %2F", "logs", "run.log"), "");
  await page.getByLabel("Actions for raw.bin").click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete file" }).click();
  await page.getByRole("button", { name: "raw.bin", exact: true }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "logs" }).click();
  await page.getByRole("button", { name: "run.log", exact: true }).click();
  await page.getByText("This file is empty").waitFor();
  await page.keyboard.press("Escape");

  await page
    .getByRole("navigation", { name: "Folders" })
    .getByRole("link", { name: "Files" })
    .click();
  await page.getByLabel("Actions for odd # %2F").click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByLabel("Type odd # %2F to confirm").fill("odd # %2F");
  await page.getByRole("button", { name: "Delete folder" }).click();
  await page.getByText("No files yet").waitFor();
  await page.goto(`/storage/${bucket}/files/gone/away`);
  await page.getByText("There is no such folder").waitFor();
  assert.deepEqual(errors, []);
});

test("a large file is uploaded in parts, and a part is sent again", {
  skip: skipReason,
}, async (t) => {
  const service = await startS3(t);
  const { bucket, folder, dataFolder } = service;
  const file = path.join(dataFolder, "large.bin");
  const content = Buffer.alloc(40_000_000, "a line that is no power of two\n");
  writeFileSync(file, content);
  const { page } = await openConsole(t, service, { at: `/storage/${bucket}/files/` });
  let isBroken = false;
  const parts: string[] = [];
  await page.route("**/s3/**partNumber=*", (route) => {
    const number = new URL(route.request().url()).searchParams.get("partNumber")!;
    parts.push(number);
    if (number !== "2" || isBroken) return route.continue();
    isBroken = true;
    return route.abort("connectionreset");
  });
  await page.getByLabel("Files to upload").setInputFiles(file);
  const uploaded = page.getByRole("button", { name: "large.bin", exact: true });
  await uploaded.waitFor({ timeout: 300_000 });
  assert.deepEqual(parts, ["1", "2", "2", "3"]);
  assert.ok(readFileSync(path.join(folder, "large.bin")).equals(content));
});

test("an S3 key is created for a volume and deleted", { skip: skipReason }, async (t) => {
  const service = await startS3(t);
  const { page, errors } = await openConsole(t, service, { at: "/keys/s3" });
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill("laptop");
  await page.getByLabel("Access").selectOption("read");
  await page.getByLabel("Restrict to selected volumes").click();
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByText("Select at least one volume").waitFor();
  await page.getByLabel("data").click();
  await page.getByRole("button", { name: "Create key" }).click();
  const shown = page.getByRole("dialog").locator("pre");
  await shown.getByText("AWS_SECRET_ACCESS_KEY").waitFor();
  const text = (await shown.textContent()) ?? "";
  assert.match(
    text,
    /^AWS_ACCESS_KEY_ID=FH\w+\nAWS_SECRET_ACCESS_KEY=rps_\w+\nAWS_ENDPOINT_URL=http:\S+$/,
  );
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText("Read only").waitFor();
  const choose = async (action: string) => {
    await page.getByRole("button", { name: "Actions for laptop" }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };
  await choose("Edit labels");
  await page.getByRole("button", { name: "Add label" }).click();
  await page.getByLabel("Name of label 1").fill("team=search");
  await page.getByRole("button", { name: "Save labels" }).click();
  await page.getByText("Labels saved").waitFor();
  const { json: labeled } = await service.call("GET", "/v1/s3-keys?labels=team=search");
  assert.deepEqual(
    labeled.map(({ name }: { name: string }) => name),
    ["laptop"],
  );
  await choose("Delete");
  await page.getByRole("button", { name: "Delete key" }).click();
  await page.getByText("Read only").waitFor({ state: "detached" });
  const { json: keys } = await service.call("GET", "/v1/s3-keys");
  assert.deepEqual(
    keys.map(({ name }: { name: string }) => name),
    ["test"],
  );
  assert.deepEqual(errors, []);
});
