// Writes the table of permissions from the service's behavior. Review it before you commit it.

import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { simulatedService } from "../pods/fixture.ts";
import { TABLE, whoMay } from "./permissions.ts";

test("write the table of permissions", async (t) => {
  const service = await simulatedService(t, { protocol: { refuseHoldMs: 0 } });
  writeFileSync(TABLE, `${(await whoMay(service)).join("\n")}\n`);
});
