// The address that the engine's client uses.

import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../../base/clock.ts";
import { Engine } from "./engine.ts";

test("a socket is used also where DOCKER_HOST names another engine", () => {
  const before = process.env.DOCKER_HOST;
  process.env.DOCKER_HOST = "ssh://user@example.com";
  try {
    const { docker } = new Engine({ host: "unix:///run/engine.sock" }, systemClock);
    const { socketPath, host, protocol } = docker.modem as unknown as Record<string, unknown>;
    assert.deepEqual([socketPath, host, protocol], ["/run/engine.sock", undefined, "http"]);
  } finally {
    if (before === undefined) delete process.env.DOCKER_HOST;
    else process.env.DOCKER_HOST = before;
  }
});
