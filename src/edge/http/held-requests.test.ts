// A poll that is woken many times has one listener on its socket.

import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { Polls } from "./held-requests.ts";

test("a poll returns the same signal on every call", () => {
  const open = { destroyed: false, writableFinished: false, socket: null };
  const raw = Object.assign(new EventEmitter(), open);
  const poll = new Polls().poll({ raw });
  const signals = Array.from({ length: 20 }, () => poll.signal());
  assert.equal(new Set(signals).size, 1);
  assert.equal(raw.listenerCount("close"), 1);
  raw.emit("close");
  assert.equal(signals[0]!.aborted, true);
});
