// The address that the engine's client uses.

import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../../base/clock.ts";
import { Engine } from "./engine.ts";

test("a socket is used also where DOCKER_HOST names another engine", async () => {
  const before = process.env.DOCKER_HOST;
  process.env.DOCKER_HOST = "ssh://user@example.com";
  try {
    const engine = new Engine({ host: "unix:///run/engine.sock" }, systemClock);
    const modem = await engine.callWithin(async (docker) => docker.modem);
    const { socketPath, host, protocol } = modem as unknown as Record<string, unknown>;
    assert.deepEqual([socketPath, host, protocol], ["/run/engine.sock", undefined, "http"]);
  } finally {
    if (before === undefined) delete process.env.DOCKER_HOST;
    else process.env.DOCKER_HOST = before;
  }
});
