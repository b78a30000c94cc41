// The overview shows what waits, and why.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { openConsole, skipReason } from "./browser.ts";

test("a queue without workers needs attention", { skip: skipReason }, async (t) => {
  const service = await startService(t);
  await service.makeEndpoint({ id: "imaging" });
  const { page, errors: complaints } = await openConsole(t, service);
  await page.getByText("0 queued, 0 running").waitFor();
  assert.equal(await page.getByText("Needs attention").count(), 0);
  for (let n = 0; n < 2; n++) await service.call("POST", "/v2/imaging/run", { input: {} });
  await page.getByText("2 queued, 0 running").waitFor();
  await page.getByText("2 jobs wait").waitFor();
  await page.getByRole("region", { name: "Needs attention" }).getByText("imaging").click();
  await page.getByRole("heading", { name: "Configuration" }).waitFor();
  assert.deepEqual(complaints, []);
});
