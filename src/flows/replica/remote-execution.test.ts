import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { WebSocketServer } from "ws";
import { VirtualClock } from "../../base/clock.ts";
import { openExecution } from "./remote-execution.ts";

test("a replica that disconnects during a command counts as an unreachable machine", async (t) => {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  t.after(() => server.close());
  server.on("connection", (socket) => socket.terminate());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const execution = await openExecution(`http://127.0.0.1:${port}`, "", new VirtualClock(), "pod");
  for await (const _ of execution.output) assert.fail();
  await assert.rejects(execution.exitCode(), { code: "worker_unreachable" });
});
