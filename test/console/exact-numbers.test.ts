// Numbers that JavaScript cannot hold: what a person types, submits, reads and edits in the console keeps their text.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { openConsole, skipReason } from "./browser.ts";

const NUMBERS = '{"big": 9007199254740993, "whole": 1.0, "huge": 1e400, "small": -0}';
const numbersIn = (text: string | null) => text!.match(/(?<=": ?)[-\d][\d.e]*/g)!.slice(0, 4);
const expected = ["9007199254740993", "1.0", "1e400", "-0"];

test("numbers keep their text through requests, jobs and schedules", {
  skip: skipReason,
}, async (t) => {
  const service = await startService(t);
  await service.makeEndpoint({ id: "imaging" });
  const worker = await service.makeWorker("imaging");
  const { page, errors } = await openConsole(t, service, { at: "/serverless/imaging/request" });
  const body = page.getByLabel("Body");
  /** The numbers of the input that the worker gets; it answers with them. */
  const takeAndEcho = async () => {
    const { text, json } = await worker.call("job-take");
    await worker.call(`job-done/${json.id}`, "", `{"output":${NUMBERS}}`);
    return { id: json.id as string, numbers: numbersIn(text.slice(text.indexOf('"input"') + 8)) };
  };

  await body.fill(`{"input": ${NUMBERS}}`);
  await page.getByText("Run", { exact: true }).click();
  await page.getByRole("button", { name: "Format" }).click();
  assert.deepEqual(numbersIn(await body.inputValue()), expected);
  await page.getByRole("button", { name: "Send" }).click();
  const first = await takeAndEcho();
  assert.deepEqual(first.numbers, expected);

  await page.goto(`${service.origin}/jobs/${first.id}`);
  for (const label of ["Output", "Input"])
    assert.deepEqual(
      numbersIn(await page.getByRole("region", { name: label }).textContent()),
      expected,
    );
  await page.getByRole("link", { name: "Edit and run again" }).click();
  assert.deepEqual(numbersIn(await body.inputValue()), expected);
  await page.getByText("Run", { exact: true }).click();
  await page.getByText("Advanced").click();
  await page.getByLabel("Priority").fill("3");
  await page.getByRole("button", { name: "Send" }).click();
  assert.deepEqual((await takeAndEcho()).numbers, expected);

  await page.goto(`${service.origin}/schedules`);
  await page.getByRole("button", { name: "New schedule" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Endpoint").selectOption("imaging");
  await dialog.getByLabel("Name").fill("nightly");
  await dialog.getByLabel("Input").fill(NUMBERS);
  await dialog.getByRole("button", { name: "Create schedule" }).click();
  await page
    .getByRole("table", { name: "schedules" })
    .getByRole("link", { name: "nightly" })
    .click();
  assert.deepEqual(
    numbersIn(await page.getByRole("region", { name: "Input" }).textContent()),
    expected,
  );
  const choose = async (item: string) => {
    await page.getByRole("button", { name: "Actions for nightly" }).click();
    await page.getByRole("menuitem", { name: item, exact: true }).click();
  };
  await choose("Edit");
  assert.deepEqual(numbersIn(await dialog.getByLabel("Input").inputValue()), expected);
  await dialog.getByLabel("Input").fill(NUMBERS.replace("993", "995"));
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.waitFor({ state: "hidden" });
  const changed = ["9007199254740995", ...expected.slice(1)];
  await page.getByRole("region", { name: "Input" }).getByText("9007199254740995").waitFor();
  await choose("Run now");
  assert.deepEqual((await takeAndEcho()).numbers, changed);
  assert.deepEqual(errors, []);
});
