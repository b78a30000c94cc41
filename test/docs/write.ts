// Writes the generated pages under docs/, for npm run generate, which formats them.

import { writeFileSync } from "node:fs";
import { openapi } from "../../src/contract/openapi.ts";
import { openapiV2 } from "../../src/contract/rest-v2/openapi.ts";
import { fidelityPage } from "../fidelity/page.ts";
import { DOCUMENT, DOCUMENT_V2, ERRORS, errorsPage, FIDELITY } from "./pages.ts";

writeFileSync(DOCUMENT, `${JSON.stringify(openapi(), null, 2)}\n`);
writeFileSync(DOCUMENT_V2, `${JSON.stringify(openapiV2(), null, 2)}\n`);
writeFileSync(ERRORS, errorsPage());
writeFileSync(FIDELITY, fidelityPage());
