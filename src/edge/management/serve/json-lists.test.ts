// The bytes of lists: those of the same members are made once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesOfList } from "./json-lists.ts";

test("a list has the bytes of its members, which are made once for the same members", () => {
  const [one, two, three] = [{ id: "é" }, { id: "2" }, { id: "3" }];
  const bytes = bytesOfList([one, two]);
  assert.equal(bytes.toString(), '[{"id":"é"},{"id":"2"}]');
  assert.equal(bytesOfList([one, two]), bytes);
  assert.equal(bytesOfList([one]).toString(), '[{"id":"é"}]');
  assert.equal(bytesOfList([one, three]).toString(), '[{"id":"é"},{"id":"3"}]');
  assert.equal(bytesOfList([one, two]).toString(), bytes.toString());
  assert.equal(bytesOfList([]).toString(), "[]");
});
