// Writes the pages under docs/ that are made from the code: node bin/run.mjs test/docs/write.ts,
// then npm run format.

import { writeFileSync } from "node:fs";
import { openapi } from "../../src/contract/openapi.ts";
import { fidelityPage } from "../fidelity/page.ts";
import { DOCUMENT, ERRORS, errorsPage, FIDELITY } from "./pages.ts";

writeFileSync(DOCUMENT, `${JSON.stringify(openapi(), null, 2)}\n`);
writeFileSync(ERRORS, errorsPage());
writeFileSync(FIDELITY, fidelityPage());
