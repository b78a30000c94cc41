// What every operation answers, and how it refuses, read by a strict XML parser (expat): well-formed, with
// names and namespaces that are declared.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { type OperationName, operations } from "../../src/edge/s3/operations.ts";
import { errorXml } from "../../src/edge/s3/wire/reply.ts";
import { XML_HEAD } from "../../src/edge/s3/wire/xml.ts";
import { type S3Service, startS3 } from "./fixture.ts";
import { type RawReply, type RawRequest, sendRaw } from "./raw-request.ts";

/** Prints for each document the path of its elements as {namespace}name, with their texts. */
const EXPAT = `
import json, sys
from xml.etree import ElementTree
def walk(element):
    inner = [walk(child) for child in element]
    return [element.tag, dict(element.attrib), inner if inner else element.text or ""]
print(json.dumps([walk(ElementTree.fromstring(each)) for each in json.load(sys.stdin)]))
`;

type Parsed = [tag: string, attributes: Record<string, string>, content: string | Parsed[]];

function parseStrictly(documents: readonly string[]): Parsed[] {
  const input = JSON.stringify(documents);
  return JSON.parse(execFileSync("python3", ["-c", EXPAT], { input, encoding: "utf8" }));
}

const S3 = "{http://s3.amazonaws.com/doc/2006-03-01/}";
/** All that needs an escape, and a character that no XML document can have. */
const ODD = "a<&>\"'ü😀\uffff";
const KEY = encodeURIComponent(ODD);
const CRC = { "x-amz-checksum-algorithm": "CRC32" };

/** Calls each operation, in an order in which each has something to answer. */
async function answersOf(service: S3Service): Promise<Map<OperationName, RawReply>> {
  const answers = new Map<OperationName, RawReply>();
  const call = async (name: OperationName, path: string, rest: Partial<RawRequest> = {}) => {
    const reply = await sendRaw(service, { path, ...rest });
    answers.set(name, reply);
    return reply.text;
  };
  const copy = { method: "PUT", headers: { "x-amz-copy-source": `/${service.bucket}/${KEY}` } };
  await call("PutObject", KEY, { method: "PUT", headers: CRC, body: () => "text" });
  await call("CopyObject", "copy", copy);
  await call("GetObject", KEY);
  await call("HeadObject", KEY, { method: "HEAD" });
  answers.set("ListBuckets", await sendRaw({ ...service, bucket: "" }, { path: "" }));
  await call("HeadBucket", "", { method: "HEAD" });
  await call("CreateBucket", "", { method: "PUT" });
  await call("DeleteBucket", "", { method: "DELETE" });
  await call("GetBucketLocation", "?location");
  await call("GetBucketVersioning", "?versioning");
  await call("GetBucketAcl", "?acl");
  await call("GetObjectAcl", `${KEY}?acl`);
  const named = { "x-amz-object-attributes": "ETag,Checksum,ObjectParts,StorageClass,ObjectSize" };
  await call("GetObjectAttributes", `${KEY}?attributes`, { headers: named });
  await call("GetObjectTagging", `${KEY}?tagging`);
  await call("ListObjects", "?delimiter=%01&marker=%00&max-keys=1");
  await call("ListObjectsV2", "?list-type=2&fetch-owner=true&max-keys=1&start-after=%07");
  const created = await call("CreateMultipartUpload", `${KEY}?uploads`, {
    method: "POST",
    headers: CRC,
  });
  const uploadId = /<UploadId>(\w+)/.exec(created)?.[1];
  const part = (number: number) => `${KEY}?partNumber=${number}&uploadId=${uploadId}`;
  await call("UploadPart", part(1), { method: "PUT", body: () => "part" });
  await call("UploadPartCopy", part(2), copy);
  const listed = await call("ListParts", `${KEY}?uploadId=${uploadId}`);
  await call("ListMultipartUploads", "?uploads&key-marker=%00&prefix=a");
  const parts = listed.match(/<Part><PartNumber>\d<\/PartNumber>|<ETag>.*?<\/ETag>/g)!.join("");
  const completion = `${parts.replaceAll("</ETag>", "</ETag></Part>")}`;
  await call("CompleteMultipartUpload", `${KEY}?uploadId=${uploadId}`, {
    method: "POST",
    body: () => `<CompleteMultipartUpload>${completion}</CompleteMultipartUpload>`,
  });
  await call("AbortMultipartUpload", `${KEY}?uploadId=${uploadId}`, { method: "DELETE" });
  await call("DeleteObjects", "?delete", {
    method: "POST",
    body: () =>
      "<Delete><Object><Key>copy</Key></Object><Object><Key>../&#60;</Key></Object></Delete>",
  });
  await call("DeleteObject", KEY, { method: "DELETE" });
  return answers;
}

/** The root of each answer that has one. */
const roots: Record<OperationName, string | null> = {
  ListBuckets: "ListAllMyBucketsResult",
  HeadBucket: null,
  CreateBucket: "Error",
  DeleteBucket: "Error",
  GetBucketLocation: "LocationConstraint",
  GetBucketVersioning: "VersioningConfiguration",
  GetBucketAcl: "AccessControlPolicy",
  ListObjects: "ListBucketResult",
  ListObjectsV2: "ListBucketResult",
  GetObject: null,
  HeadObject: null,
  PutObject: null,
  CopyObject: "CopyObjectResult",
  DeleteObject: null,
  DeleteObjects: "DeleteResult",
  GetObjectAcl: "AccessControlPolicy",
  GetObjectAttributes: "GetObjectAttributesResponse",
  GetObjectTagging: "Tagging",
  CreateMultipartUpload: "InitiateMultipartUploadResult",
  UploadPart: null,
  UploadPartCopy: "CopyPartResult",
  CompleteMultipartUpload: "CompleteMultipartUploadResult",
  AbortMultipartUpload: "Error",
  ListParts: "ListPartsResult",
  ListMultipartUploads: "ListMultipartUploadsResult",
};

test("every operation answers XML that a strict parser reads", async (t) => {
  const service = await startS3(t);
  const answers = await answersOf(service);
  assert.deepEqual([...answers.keys()].sort(), Object.keys(operations).sort());
  const written = [...answers].filter(([name]) => roots[name] !== null);
  const parsed = parseStrictly(written.map(([, { text }]) => text));
  for (const [n, [name]] of written.entries()) {
    const [root, , content] = parsed[n]!;
    const isError = roots[name] === "Error";
    assert.equal(root, isError ? "Error" : `${S3}${roots[name]}`, name);
    const tags = typeof content === "string" ? [] : content.map(([tag]) => tag);
    assert.ok(isError || tags.every((tag) => tag.startsWith(S3)), `${name} ${tags}`);
  }
  const of = (name: OperationName) => parsed[written.findIndex(([each]) => each === name)]!;
  assert.equal(of("GetBucketLocation")[2], "EU-RO-1");
  const grantee = JSON.stringify(of("GetBucketAcl")[2]);
  assert.match(grantee, /Grantee",\{"\{[^}]*XMLSchema-instance\}type":"CanonicalUser"/);
  const shown = ODD.replace("\uffff", "\ufffd");
  assert.ok(JSON.stringify(of("ListObjectsV2")).includes(JSON.stringify(shown)));
});

test("every refusal is XML that a strict parser reads, whatever it quotes", async (t) => {
  const service = await startS3(t);
  const odd = "%01%0B%1B%EF%BF%BF%3C%26%22";
  const presigned =
    `x?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=${"0".repeat(64)}&X-Amz-Expires=60` +
    `&X-Amz-SignedHeaders=host&X-Amz-Credential=${odd}%2F20270101%2Fx%2Fs3%2Faws4_request` +
    "&X-Amz-Date=20270101T000000Z";
  const replies = [
    await sendRaw({ ...service, bucket: odd }, { path: "x" }),
    await sendRaw(service, { path: odd }),
    await sendRaw(service, { path: `x?uploadId=${odd}` }),
    await sendRaw(service, { path: "x", headers: { range: "bytes=\u00ff<&" } }),
    await sendRaw({ ...service, s3Key: { id: "<&>", secret: "x" } }, { path: "x" }),
  ].map(({ text }) => text);
  const anonymous = await fetch(`${service.s3Url}/${service.bucket}/${presigned}`);
  const texts = [
    ...replies,
    await anonymous.text(),
    XML_HEAD + errorXml("InternalError", "\u0000\u0008", "/<&\ud800", ""),
  ];
  for (const [root, , content] of parseStrictly(texts)) {
    assert.equal(root, "Error");
    const tags = (content as Parsed[]).map(([tag]) => tag);
    assert.deepEqual(tags, ["Code", "Message", "Resource", "RequestId"]);
  }
});
