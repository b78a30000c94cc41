// Objects over S3 with the unmodified JavaScript SDK: the same files that workloads see.

import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { type TestContext, test } from "node:test";
import { jsClient, startS3 } from "./fixture.ts";

async function opened(t: TestContext) {
  const service = await startS3(t);
  const js = await jsClient(t, service);
  return js && { ...service, ...js };
}

test("an object is put, read, copied and deleted", async (t) => {
  const s3 = await opened(t);
  if (!s3) return;
  const { send, failure, keys, bucket, folder } = s3;
  const { Buckets } = await s3.client.send(new s3.sdk.ListBucketsCommand({}));
  assert.deepEqual(
    Buckets.map(({ Name }: { Name: string }) => Name),
    [bucket],
  );
  await send("HeadBucket");
  assert.deepEqual(await keys(), []);
  assert.deepEqual(await failure("GetObject", { Key: "a" }), [404, "NoSuchKey"]);
  assert.deepEqual(await failure("HeadBucket", { Bucket: "other" }), [404, "NotFound"]);

  const Key = "models/a b+ü%2F.txt";
  const Metadata = { who: "me" };
  const put = await send("PutObject", { Key, Body: "héllo", ContentType: "text/plain", Metadata });
  const file = path.join(folder, ...Key.split("/"));
  assert.equal(readFileSync(file, "utf8"), "héllo");
  assert.equal(statSync(file).mode & 0o777, 0o666, "every container's user can write to it");
  assert.equal(statSync(path.dirname(file)).mode & 0o777, 0o777);
  chmodSync(folder, 0o755);
  await send("PutObject", { Key: "own/file", Body: "" });
  assert.equal(statSync(path.join(folder, "own")).mode & 0o777, 0o755, "as the volume's root");
  assert.equal(statSync(path.join(folder, "own", "file")).mode & 0o777, 0o644);
  await send("DeleteObject", { Key: "own/file" });
  const got = await send("GetObject", { Key });
  assert.equal(await got.Body.transformToString(), "héllo");
  assert.deepEqual([got.ContentType, got.Metadata, got.ETag], ["text/plain", Metadata, put.ETag]);
  const range = await send("GetObject", { Key, Range: "bytes=1-2" });
  assert.deepEqual(
    [range.ContentRange, await range.Body.transformToString()],
    ["bytes 1-2/6", "é"],
  );

  const CopySource = `${bucket}/models/a%20b%2B%C3%BC%252F.txt`;
  const { CopyObjectResult } = await send("CopyObject", { CopySource, Key: "copy" });
  assert.equal(CopyObjectResult.ETag, put.ETag);
  assert.equal((await send("HeadObject", { Key: "copy" })).ContentType, "text/plain");
  await send("DeleteObject", { Key });
  await send("DeleteObject", { Key });
  assert.deepEqual(await keys(), ["copy"], "the folder that was made for the object goes with it");
  const Delete = { Objects: ["copy", "../x", "missing"].map((each) => ({ Key: each })) };
  const deleted = await send("DeleteObjects", { Delete });
  assert.deepEqual(
    deleted.Errors.map((error: Record<string, string>) => [error.Key, error.Code]),
    [["../x", "InvalidArgument"]],
  );
  assert.equal(deleted.Deleted.length, 2);
  assert.deepEqual(readdirSync(folder), []);
  assert.deepEqual(readdirSync(path.join(folder, "..", "freehold-uploads")), []);
});

test("a stream arrives whole, and what workloads write is an object unless it is a link", async (t) => {
  const s3 = await opened(t);
  if (!s3) return;
  const { send, failure, keys, folder } = s3;
  const big = Buffer.alloc(300_000, "x");
  const Body = Readable.from([big.subarray(0, 100_000), big.subarray(100_000)]);
  await send("PutObject", { Key: "stream", Body, ContentLength: big.length });
  assert.ok(readFileSync(path.join(folder, "stream")).equals(big));

  mkdirSync(path.join(folder, "empty"));
  mkdirSync(path.join(folder, "pod"));
  writeFileSync(path.join(folder, "pod", "file"), "pod");
  writeFileSync(path.join(folder, "pod-2"), "pod");
  symlinkSync("/etc/passwd", path.join(folder, "link"));
  symlinkSync("/etc", path.join(folder, "etc"));
  assert.deepEqual(await keys(), ["empty/", "pod-2", "pod/file", "stream"]);
  const head = await send("HeadObject", { Key: "pod/file" });
  assert.match(head.ETag, /^"[0-9a-f]{32}-1"$/);
  for (const Key of ["link", "etc/passwd", "pod"]) {
    assert.deepEqual(await failure("GetObject", { Key }), [404, "NoSuchKey"], Key);
  }
  for (const Key of ["etc/x", "pod-2/x", "pod"]) {
    assert.deepEqual(await failure("PutObject", { Key, Body: "x" }), [400, "InvalidRequest"], Key);
  }
  await send("PutObject", { Key: "link", Body: "own" });
  assert.equal(readFileSync(path.join(folder, "link"), "utf8"), "own", "a link is replaced");
  await send("PutObject", { Key: "made/", Body: "" });
  assert.ok(statSync(path.join(folder, "made")).isDirectory());
  await send("DeleteObject", { Key: "made/" });
  await send("DeleteObject", { Key: "pod/" });
  assert.ok(statSync(path.join(folder, "pod")).isDirectory(), "a folder that is not empty stays");
});

test("a write happens only if its condition is met", async (t) => {
  const s3 = await opened(t);
  if (!s3) return;
  const { send, failure } = s3;
  const once = { Key: "lock", IfNoneMatch: "*" };
  const both = await Promise.all(
    [1, 2].map((n) => failure("PutObject", { ...once, Body: `${n}` })),
  );
  assert.deepEqual(both.filter((each) => each === null).length, 1, "one of two wins");
  assert.deepEqual(
    both.find((each) => each !== null),
    [412, "PreconditionFailed"],
  );
  const { ETag } = await send("HeadObject", { Key: "lock" });
  assert.deepEqual(await failure("PutObject", { Key: "lock", IfMatch: '"x"', Body: "3" }), [
    412,
    "PreconditionFailed",
  ]);
  assert.deepEqual(
    await failure("PutObject", { Key: "none", IfMatch: ETag, Body: "3" }),
    [404, "NoSuchKey"],
    "there is nothing to replace",
  );
  for (const Key of ["lock", "none"]) {
    const other = { Key, IfNoneMatch: '"x"', Body: "3" };
    assert.deepEqual(await failure("PutObject", other), [501, "NotImplemented"], Key);
  }
  const mismatch = { Key: "lock", IfMatch: '"x"' };
  assert.deepEqual(await failure("DeleteObject", mismatch), [412, "PreconditionFailed"]);
  const Objects = [{ Key: "lock", ETag: '"x"' }];
  const { Errors } = await send("DeleteObjects", { Delete: { Objects } });
  assert.equal(Errors[0].Code, "PreconditionFailed");
  await send("DeleteObject", { Key: "none", IfMatch: ETag });
  await send("PutObject", { Key: "lock", IfMatch: ETag, Body: "new" });
  const notModified = {
    Key: "lock",
    IfNoneMatch: (await send("HeadObject", { Key: "lock" })).ETag,
  };
  assert.deepEqual((await failure("GetObject", notModified))?.[0], 304);
  assert.deepEqual(await failure("GetObject", { Key: "lock", IfMatch: ETag }), [
    412,
    "PreconditionFailed",
  ]);
  assert.deepEqual(await failure("GetObject", { Key: "lock", Range: "bytes=9-" }), [
    416,
    "InvalidRange",
  ]);
  const latest = (await send("HeadObject", { Key: "lock" })).ETag;
  await send("DeleteObject", { Key: "lock", IfMatch: latest });
  assert.deepEqual((await failure("HeadObject", { Key: "lock" }))?.[0], 404);
});

test("an object's attributes are those that were stored, and no others", async (t) => {
  const s3 = await opened(t);
  if (!s3) return;
  const { send, failure, folder } = s3;
  const ObjectAttributes = ["ETag", "Checksum", "ObjectParts", "StorageClass", "ObjectSize"];
  const attributes = async (Key: string) => {
    const {
      $metadata: _,
      LastModified,
      ...rest
    } = await send("GetObjectAttributes", {
      Key,
      ObjectAttributes,
    });
    assert.ok(LastModified instanceof Date);
    return rest;
  };
  const ETag = "25f9e794323b453885f5181f1b624d0b";
  const digits = { Body: "123456789", ChecksumAlgorithm: "CRC64NVME" };
  await send("PutObject", { Key: "digits", ...digits });
  assert.deepEqual(await attributes("digits"), {
    ETag,
    StorageClass: "STANDARD",
    ObjectSize: 9,
    Checksum: { ChecksumCRC64NVME: "rosUhgp5mIg=", ChecksumType: "FULL_OBJECT" },
  });
  const upload = { Key: "parts", ChecksumAlgorithm: "SHA256" };
  const { UploadId } = await send("CreateMultipartUpload", upload);
  const part = { Key: "parts", UploadId, PartNumber: 1, Body: "x", ChecksumAlgorithm: "SHA256" };
  const { ETag: partTag, ChecksumSHA256 } = await send("UploadPart", part);
  const Parts = [{ PartNumber: 1, ETag: partTag, ChecksumSHA256 }];
  await send("CompleteMultipartUpload", { Key: "parts", UploadId, MultipartUpload: { Parts } });
  const { Checksum, ObjectParts } = await attributes("parts");
  assert.match(Checksum.ChecksumSHA256, /=-1$/);
  assert.deepEqual([Checksum.ChecksumType, ObjectParts], ["COMPOSITE", { TotalPartsCount: 1 }]);
  writeFileSync(path.join(folder, "digits"), "changed");
  const changed = await attributes("digits");
  assert.match(changed.ETag, /-1$/);
  assert.deepEqual(Object.keys(changed).sort(), ["ETag", "ObjectSize", "StorageClass"]);
  const only = await send("GetObjectAttributes", {
    Key: "parts",
    ObjectAttributes: ["ObjectSize"],
  });
  assert.deepEqual([only.ObjectSize, only.ETag], [1, undefined]);
  for (const names of [["Owner"], []]) {
    const request = { Key: "parts", ObjectAttributes: names };
    assert.deepEqual(await failure("GetObjectAttributes", request), [400, "InvalidArgument"]);
  }
});
