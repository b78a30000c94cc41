// The first page says what waits, and why it does.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startHouse } from "../house.ts";
import { missing, openConsole } from "./browser.ts";

test("a queue that nobody can serve is seen at a glance", { skip: missing }, async (t) => {
  const house = await startHouse(t);
  await house.makeEndpoint({ id: "imaging" });
  const { page, complaints } = await openConsole(t, house);
  await page.getByText("0 queued, 0 running").waitFor();
  assert.equal(await page.getByText("Needs attention").count(), 0);
  for (let n = 0; n < 2; n++) await house.call("POST", "/v2/imaging/run", { input: {} });
  await page.getByText("2 queued, 0 running").waitFor();
  await page.getByText("2 jobs wait").waitFor();
  await page.getByRole("region", { name: "Needs attention" }).getByText("imaging").click();
  await page.getByRole("heading", { name: "What it costs" }).waitFor();
  await page.getByText("2 wait, 0 run").waitFor();
  assert.deepEqual(complaints, []);
});
