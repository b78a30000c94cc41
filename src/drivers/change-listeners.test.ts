import assert from "node:assert/strict";
import { test } from "node:test";
import { ChangeListeners, EventDeduplicator } from "./change-listeners.ts";

test("an event that comes twice is passed on once, and workloads without recent events are forgotten", () => {
  const listeners = new ChangeListeners();
  const heard: string[] = [];
  listeners.add((id) => heard.push(id));
  const events = new EventDeduplicator(listeners);
  for (const event of ["c start", "c start", "c die", "c die"]) events.notify("w", event);
  assert.deepEqual(heard.splice(0), ["w", "w"]);
  for (let n = 0; n < 1_000; n++) events.notify(`other ${n}`, "c start");
  heard.splice(0);
  events.notify("other 999", "c start");
  events.notify("w", "c die");
  assert.deepEqual(heard, ["w"]);
});
