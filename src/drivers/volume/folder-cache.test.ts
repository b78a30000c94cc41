// A folder's listing is kept only once a later change must have another time.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { VirtualClock } from "../../base/clock.ts";
import { openSimulatedDriver } from "../simulated/simulated-driver.ts";

const MANY = 1_000;
/** A slow machine may list a folder long after its last change. */
const MAX_TRIES = 50;

test("a folder that changed a moment ago is read again, whatever the service's clock says", async (t) => {
  const volumes = mkdtempSync(path.join(tmpdir(), "freehold-folder-"));
  t.after(() => rmSync(volumes, { recursive: true }));
  const ahead = new VirtualClock(Date.now() + 3_600_000);
  const driver = openSimulatedDriver({ clock: ahead, volumes });
  t.after(() => driver.close());
  const files = (await driver.volumeFiles!({ kind: "network", name: "v" }, true))!;
  const root = path.join(volumes, "network-v", "data");
  for (let n = 0; n < MANY; n++) writeFileSync(path.join(root, `f${n}`), "");
  let isReadAgain = false;
  for (let tries = 0; tries < MAX_TRIES && !isReadAgain; tries++) {
    writeFileSync(path.join(root, `again${tries}`), "");
    const [first, second] = [await files.children([]), await files.children([])];
    isReadAgain = first !== second;
  }
  assert.ok(isReadAgain);
});
