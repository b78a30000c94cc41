import assert from "node:assert/strict";
import { test } from "node:test";
import { buildXml, elementsOf, parseXml, textOf, withAttributes } from "./xml.ts";

test("keys survive XML, whichever way a client writes them", () => {
  const keys = ["007", " a ", "a\rb", "<&>\"'", "&#34;", "a😀"];
  const xml = buildXml("ListBucketResult", { Contents: keys.map((Key) => ({ Key })) });
  const root = parseXml(xml, "ListBucketResult")!;
  assert.deepEqual(
    elementsOf(root, "Contents").map((each) => textOf(each, "Key")),
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

test("an element holds a text, elements or nothing, and has attributes", () => {
  const content = (xml: string) => xml.replace(/ xmlns="[^"]*"/, "");
  assert.equal(
    content(buildXml("LocationConstraint", "EU&1")),
    "<LocationConstraint>EU&amp;1</LocationConstraint>",
  );
  assert.equal(
    content(buildXml("Tagging", { TagSet: "" })),
    "<Tagging><TagSet></TagSet></Tagging>",
  );
  const typed = withAttributes({ "xsi:type": 'a"<\n' }, { ID: 1 });
  assert.equal(
    content(buildXml("Owner", { Grantee: typed })),
    '<Owner><Grantee xsi:type="a&quot;&lt;&#10;"><ID>1</ID></Grantee></Owner>',
  );
  assert.equal(content(buildXml("Owner", { ID: undefined, Part: [] })), "<Owner></Owner>");
});

test("characters that XML cannot have are replaced", () => {
  const xml = buildXml("Error", "a\u0000\u001b\ufffe\uffff\ud800b\t\n\u0085😀");
  assert.match(xml, />a\ufffd{5}b&#9;&#10;\u0085😀<\//);
});

test("the types refuse a name that no element has, in a spread too", () => {
  const odd = { "#text": "x" };
  // @ts-expect-error not a name
  buildXml("#text", "x");
  // @ts-expect-error not a name
  buildXml("Owner", { "#text": "x" });
  // @ts-expect-error not a name
  buildXml("Owner", { ...odd, ID: "x" });
  // @ts-expect-error not a name
  buildXml("Owner", { Grantee: [{ ID: "x", "@xsi:type": "x" }] });
  // @ts-expect-error not a name
  withAttributes({ "@xsi:type": "x" }, { ID: "x" });
});
