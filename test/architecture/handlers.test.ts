// What a handler of an event throws ends the process. Handlers of events that bring input from the network are wrapped
// by `guarded` (src/base/guarded.ts), so that no input does.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Source, sourceOf, sources } from "./sources.ts";

const EVENTS =
  "authentication|checkContinue|exec|information|message|notification|pty|request|response|session|shell|subsystem|" +
  "tcp connection|tcpip|unexpected-response|upgrade|window-change";
/** The receiver, the event, and what follows. */
const HANDLED = new RegExp(`(\\w+)!?\\s*\\.(?:on|once)\\(\\s*"(${EVENTS})",\\s*(\\w*)`, "g");
/** Threads of this process send no input from outside. */
const THREADS = /^(?:thread|parentPort|port1?|main|worker)$/;
/** Programs at a terminal end with an error; the worker library runs in a process of its own. */
const SERVICE = /^src\/(?:base|drivers|edge|flows|loops|store)\//;

const unguarded = (files: Source[]) =>
  files
    .filter(({ file, testing }) => SERVICE.test(file) && !testing)
    .flatMap(({ file, code }) =>
      [...code.matchAll(HANDLED)]
        .filter(([, receiver, , handler]) => !THREADS.test(receiver!) && handler !== "guarded")
        .map(([text]) => `${file}: ${text.replace(/\s+/g, " ")}`),
    );

test("handlers of the network's events are guarded", () => {
  assert.deepEqual(unguarded(sources("src")), []);
});

test("a handler without a guard is detected", () => {
  const found = (text: string) => unguarded([sourceOf("src/edge/x.ts", text)]).length;
  assert.equal(found('socket.on("message", (data) => read(data));\n'), 1);
  assert.equal(found('socket.once(\n  "upgrade",\n  async () => {},\n);\n'), 1);
  assert.equal(found('socket.on("message", guarded("a socket", read));\n'), 0);
  assert.equal(found('socket.on("close", () => {});\n'), 0);
});
