// Writes src/store/schema.sql anew from the migrations: node bin/run.mjs test/law/write-schema.ts

import { writeFileSync } from "node:fs";
import { freshSchema, SNAPSHOT } from "./fresh-schema.ts";

writeFileSync(SNAPSHOT, freshSchema());
