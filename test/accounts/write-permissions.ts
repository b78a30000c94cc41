// Writes the table of who may do what, from what the service does: read it before it is committed.

import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { fakeHouse } from "../pods/stage.ts";
import { TABLE, whoMay } from "./permissions.ts";

test("the table is written", async (t) => {
  const house = await fakeHouse(t, { protocol: { refuseHoldMs: 0 } });
  writeFileSync(TABLE, `${(await whoMay(house)).join("\n")}\n`);
});
