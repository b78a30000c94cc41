// Loaded before each file of tests: when its tests are over and something still keeps its process, that
// is named and the file fails, where it would otherwise hold up the whole run for ever.
import { after } from "node:test";

const PATIENCE_MS = 60_000;

if (process.env.NODE_TEST_CONTEXT) {
  after(() => {
    setTimeout(() => {
      const kept = process.getActiveResourcesInfo().join(", ");
      process.stderr.write(`${process.argv[1]}: its tests are over, but these are open: ${kept}\n`);
      process.exit(1);
    }, PATIENCE_MS).unref();
  });
}
