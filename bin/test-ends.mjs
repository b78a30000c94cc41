// A guard against open handles, loaded before each test file. If a handle keeps the process alive after
// its tests are over, the guard names it and fails the file. Otherwise the whole run would hang.
import { Server } from "node:net";
import { after } from "node:test";

const TIMEOUT_MS = 60_000;

if (process.env.NODE_TEST_CONTEXT) {
  after(() => {
    setTimeout(() => {
      const servers = process._getActiveHandles().filter((each) => each instanceof Server);
      const addresses = servers.map((server) => JSON.stringify(server.address()));
      const handles = [...process.getActiveResourcesInfo(), ...addresses].join(", ");
      process.stderr.write(
        `${process.argv[1]}: its tests are over, but these handles are open: ${handles}\n`,
      );
      process.exit(1);
    }, TIMEOUT_MS).unref();
  });
}
