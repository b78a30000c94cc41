import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import ssh2 from "ssh2";
import { systemClock } from "../../base/clock.ts";
import { SshLink } from "./link.ts";
import { runOverSsh } from "./remote-run.ts";

test("a command's exit code counts that comes in the packet which opens its channel", async (t) => {
  const { private: key } = ssh2.utils.generateKeyPairSync("ed25519");
  const server = new ssh2.Server({ hostKeys: [key] });
  const listener = createServer((socket) => server.injectSocket(socket)).listen(0, "127.0.0.1");
  await once(listener, "listening");
  server.on("connection", (connection, _info) => {
    connection.on("authentication", (attempt) => attempt.accept());
    connection.on("error", () => {});
    connection.on("session", (accept) => {
      accept().on("exec", (acceptExec) => {
        const { _sock: socket } = connection as unknown as { _sock: import("node:net").Socket };
        socket.cork();
        const channel = acceptExec();
        channel.stderr.write("not found\n");
        channel.exit(127);
        channel.end();
        setImmediate(() => socket.uncork());
      });
    });
  });
  const { port } = listener.address() as AddressInfo;
  const link = new SshLink({
    clock: systemClock,
    target: { user: "me", host: "127.0.0.1", port, keys: [key], agent: null },
    trust: { known: async () => null, trustOnFirstUse: async (hostKey) => hostKey },
  });
  t.after(() => {
    link.close();
    listener.close();
  });
  const result = await link.run("true");
  assert.deepEqual(result, { code: 127, stdout: "", stderr: "not found\n" });
  const stoppable = runOverSsh(link)("true", [], "", new AbortController().signal);
  await assert.rejects(stoppable, { message: "not found", code: "ENOENT" });
});
