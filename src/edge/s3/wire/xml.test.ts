import assert from "node:assert/strict";
import { test } from "node:test";
import { buildXml, elementsOf, parseXml, textOf } from "./xml.ts";

test("keys survive XML, whichever way a client writes them", () => {
  const keys = ["007", " a ", "a\rb", "<&>\"'", "&#34;", "a😀"];
  const xml = buildXml("Delete", { Object: keys.map((Key) => ({ Key })) });
  const root = parseXml(xml, "Delete")!;
  assert.deepEqual(
    elementsOf(root, "Object").map((each) => textOf(each, "Key")),
    keys,
  );
  const numeric = parseXml("<a:Delete xmlns:a='x'><Quiet>&#34;&#x41;</Quiet></a:Delete>", "Delete");
  assert.equal(textOf(numeric!, "Quiet"), '"A');
});

test("a document that declares entities, has another root or is cut off is none", () => {
  for (const text of [
    "",
    "<Other/>",
    "<Delete><Object>",
    "<!DOCTYPE x><Delete><Quiet/></Delete>",
  ]) {
    assert.equal(parseXml(text, "Delete"), null, text);
  }
});
