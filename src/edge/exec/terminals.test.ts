import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import { Terminals } from "./terminals.ts";

const rows: [url: string, isTaken: boolean][] = [
  ["/v1/pods/p/exec", true],
  ["/v1/pods/p/exec?command=sh", true],
  ["http://host:8700/v1/pods/p/exec?command=sh", true],
  ["/v1/pods/p/logs", false],
  ["/?/v1/pods/p/exec", false],
];

test("a WebSocket is a terminal's by the path of its URL, also of an absolute one", () => {
  const terminals = new Terminals();
  for (const [url, isTaken] of rows) {
    const request = { headers: { upgrade: "WebSocket" }, url } as IncomingMessage;
    assert.equal(terminals.takesUpgrade(request), isTaken, url);
  }
});
