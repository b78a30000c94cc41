// Pictures of the console's pages for the docs and for one's own eyes, in both themes and on a phone:
// node bin/run.mjs test/console/pictures.ts [folder]

import { mkdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { startHouse } from "../house.ts";
import { openConsole, openWindow } from "./browser.ts";
import { furnish, places } from "./places.ts";

const folder = path.resolve(process.argv[2] ?? "docs/console");
const widths = [1440, 768, 390];

test("pictures", async (t) => {
  mkdirSync(folder, { recursive: true });
  const house = await startHouse(t, { protocol: { measureMs: 300 } });
  const all = places(await furnish(house));
  for (const theme of ["light", "dark"] as const) {
    for (const width of widths) {
      const { page } = await openConsole(t, house, { theme, width });
      for (const { at, name, shows } of all) {
        await page.goto(at);
        await page.getByText(shows).first().waitFor();
        await page.waitForTimeout(400); // plots and fonts are painted a moment later
        await page.screenshot({ path: path.join(folder, `${name}-${theme}-${width}.png`) });
      }
    }
    const { page } = await openWindow(t, house, { theme });
    await page.goto("/sign-in");
    await page.getByLabel("API key").waitFor();
    await page.screenshot({ path: path.join(folder, `sign-in-${theme}-1440.png`) });
  }
});
