import assert from "node:assert/strict";
import { test } from "node:test";
import { drawPorts, httpPorts, insidePort, tcpPorts, validatePorts } from "./ports.ts";

const range = { first: 20_000, last: 20_003 };

test("each requested port gets a public port of its own in the range", () => {
  const drawn = drawPorts([22, 80, 70_000], {}, { taken: new Set([20_001]), range, seed: "a" });
  assert.deepEqual(Object.values(drawn ?? {}).sort(), [20_000, 20_002, 20_003]);
});

test("current ports are kept; ports that are no longer requested are released", () => {
  const drawn = drawPorts(
    [22, 80],
    { 22: 31_000, 443: 20_002 },
    { taken: new Set(), range, seed: "a" },
  );
  assert.equal(drawn?.["22"], 31_000);
  assert.deepEqual(Object.keys(drawn ?? {}), ["22", "80"]);
});

test("a retry begins its search elsewhere", () => {
  const wide = { first: 20_000, last: 29_999 };
  const tries = ["p 1 0", "p 1 1", "p 2 0"].map(
    (seed) => drawPorts([22], {}, { taken: new Set(), range: wide, seed })?.[22],
  );
  assert.equal(new Set(tries).size, 3);
});

test("if too few ports are free, none is drawn", () => {
  const taken = new Set([20_000, 20_001, 20_003]);
  assert.deepEqual(drawPorts([22], {}, { taken, range, seed: "a" }), { 22: 20_002 });
  assert.equal(drawPorts([22, 23], {}, { taken, range, seed: "a" }), null);
  assert.deepEqual(drawPorts([], {}, { taken: new Set([...taken, 20_002]), range, seed: "a" }), {});
});

test("ports are sorted by protocol, without duplicates", () => {
  const ports = ["8888/http", "22/tcp", "8888/tcp", "22/tcp"];
  assert.deepEqual(httpPorts(ports), [8_888]);
  assert.deepEqual(tcpPorts(ports), [22, 8_888]);
  assert.deepEqual([insidePort(22, 20_000), insidePort(70_000, 20_001)], [22, 20_001]);
});

test("port 0 and HTTP ports above 65535 are invalid; a higher tcp port is symmetrical", () => {
  assert.deepEqual(validatePorts(["1/http", "65535/tcp", "70000/tcp", "99999/tcp"]), []);
  for (const port of ["0/tcp", "0/http", "65536/http"]) {
    assert.match(validatePorts([port])[0] ?? "", new RegExp(`"ports" holds "${port}"`));
  }
  assert.equal(validatePorts(Array(300_000).fill("0/tcp")).length, 10, "of a very long list");
});
