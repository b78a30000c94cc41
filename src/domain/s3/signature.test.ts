// Signature Version 4 against the examples that its documentation publishes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isSameText } from "../../base/text/same-text.ts";
import { canonicalRequest, sha256Hex } from "./canonical-request.ts";
import { readAmzTime, Signer } from "./signature.ts";

const TIME = "20130524T000000Z";
const scope = { date: "20130524", region: "us-east-1" };
const signer = new Signer("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", scope, TIME);

test("a request with a header", () => {
  const canonical = canonicalRequest({
    method: "GET",
    path: "/test.txt",
    query: "",
    rawHeaders: [
      "Host",
      "examplebucket.s3.amazonaws.com",
      "Range",
      "bytes=0-9",
      "x-amz-content-sha256",
      sha256Hex(""),
      "x-amz-date",
      TIME,
    ],
    signedHeaders: ["host", "range", "x-amz-content-sha256", "x-amz-date"],
    payloadHash: sha256Hex(""),
  });
  const expected = "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41";
  assert.equal(signer.ofRequest(canonical), expected);
});

test("a presigned URL is signed without its signature, as S3's documentation shows", () => {
  const credential = "AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request";
  const canonical = canonicalRequest({
    method: "GET",
    path: "/test.txt",
    query:
      `X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${credential}&X-Amz-Date=${TIME}` +
      "&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=abc",
    rawHeaders: ["Host", "examplebucket.s3.amazonaws.com"],
    signedHeaders: ["host"],
    payloadHash: "UNSIGNED-PAYLOAD",
  });
  const expected = "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";
  assert.equal(signer.ofRequest(canonical), expected);
});

test("each chunk of a body is signed with the signature of the one before", () => {
  const seed = "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9";
  const first = signer.ofChunk(seed, sha256Hex("a".repeat(65_536)));
  assert.equal(first, "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648");
  const second = signer.ofChunk(first, sha256Hex("a".repeat(1_024)));
  assert.equal(second, "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497");
  const last = signer.ofChunk(second, sha256Hex(""));
  assert.equal(last, "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9");
  assert.ok(isSameText(first, first));
  assert.ok(!isSameText(first, second));
});

test("a time is read in S3's short form only", () => {
  assert.equal(readAmzTime(TIME), Date.UTC(2013, 4, 24));
  for (const wrong of ["", "2013-05-24T00:00:00Z", "20130524"]) {
    assert.equal(readAmzTime(wrong), null);
  }
});
