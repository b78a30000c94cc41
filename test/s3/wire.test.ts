// What is on the wire: chunked bodies, signed and unsigned, damaged ones, odd paths, presigned URLs, and
// objects that have no room.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { crc32 } from "node:zlib";
import { sha256Hex } from "../../src/domain/s3/canonical-request.ts";
import type { Signer } from "../../src/domain/s3/signature.ts";
import { npmClient } from "../sdk/npm-client.ts";
import { createVolume, jsClient, startS3 } from "./fixture.ts";
import { codeOf, sendRaw } from "./raw-request.ts";

const TEXT = "0123456789";
const crcOf = (text: string) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString("base64");
};

/** Two chunks, each with its signature. */
function signedChunks(signer: Signer, seed: string, trailer = ""): string {
  let previous = seed;
  const chunk = (text: string) => {
    previous = signer.ofChunk(previous, sha256Hex(text));
    return `${text.length.toString(16)};chunk-signature=${previous}\r\n${text}${text && "\r\n"}`;
  };
  const chunks = chunk(TEXT) + chunk("ab") + chunk("");
  if (trailer === "") return `${chunks}\r\n`;
  const signature = signer.ofTrailer(previous, `${trailer}\n`);
  return `${chunks}${trailer}\r\nx-amz-trailer-signature:${signature}\r\n\r\n`;
}

test("bodies are verified before anything is stored", async (t) => {
  const service = await startS3(t);
  const put = (key: string, payloadHash: string, rest: Parameters<typeof sendRaw>[1] | object) =>
    sendRaw(service, { method: "PUT", path: key, payloadHash, ...rest });
  const signed = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
  const length = { "x-amz-decoded-content-length": "12" };
  const trailing = { ...length, "x-amz-trailer": "x-amz-checksum-crc32" };
  const checksum = `x-amz-checksum-crc32:${crcOf(`${TEXT}ab`)}`;
  const unsigned = `a\r\n${TEXT}\r\n2\r\nab\r\n0\r\n${checksum}\r\n\r\n`;
  const good: [
    key: string,
    form: string,
    headers: object,
    body: (s: Signer, seed: string) => string,
  ][] = [
    ["signed", signed, length, (signer, seed) => signedChunks(signer, seed)],
    ["both", `${signed}-TRAILER`, trailing, (signer, seed) => signedChunks(signer, seed, checksum)],
    ["trailer", "STREAMING-UNSIGNED-PAYLOAD-TRAILER", trailing, () => unsigned],
    ["hash", sha256Hex(`${TEXT}ab`), {}, () => `${TEXT}ab`],
  ];
  const { folder } = service;
  for (const [key, form, headers, body] of good) {
    const { status, text } = await put(key, form, { headers, body });
    assert.equal(status, 200, `${key} ${text}`);
    assert.equal(readFileSync(path.join(folder, key), "utf8"), `${TEXT}ab`);
    const damaged = await put(`bad-${key}`, form, {
      headers,
      body: (signer: Signer, seed: string) => body(signer, seed).replace("45", "54"),
    });
    const expected = [
      "SignatureDoesNotMatch",
      "XAmzContentChecksumMismatch",
      "XAmzContentSHA256Mismatch",
    ];
    assert.ok(expected.includes(codeOf(damaged) ?? ""), `${key} ${damaged.text}`);
    assert.ok(!existsSync(path.join(folder, `bad-${key}`)));
  }
  const cut = await put("cut", good[2]![1], {
    headers: trailing,
    body: () => unsigned.slice(0, 12),
  });
  assert.equal(codeOf(cut), "IncompleteBody");
  const garbage = await put("cut", signed, { headers: length, body: () => "zz\r\n" });
  assert.equal(codeOf(garbage), "InvalidRequest");
  const md5 = await put("md5", "UNSIGNED-PAYLOAD", {
    headers: { "content-md5": "AAAAAAAAAAAAAAAAAAAAAA==" },
    body: () => TEXT,
  });
  assert.equal(codeOf(md5), "BadDigest");
  assert.deepEqual(readdirSync(path.join(folder, "..", "freehold-uploads")), []);
});

test("paths mean what they say, and none leaves the volume", async (t) => {
  const service = await startS3(t);
  const put = (key: string) => sendRaw(service, { method: "PUT", path: key, body: () => "x" });
  for (const [sent, file] of [
    ["a%2Fb", "a/b"],
    ["%C3%BC+~(1)'%20!", "ü+~(1)' !"],
    ["a%252Fb", "a%2Fb"],
  ] as const) {
    assert.equal((await put(sent)).status, 200, sent);
    assert.ok(existsSync(path.join(service.folder, file)), file);
    assert.equal((await sendRaw(service, { path: sent })).text, "x", sent);
  }
  for (const sent of ["..%2Fx", "a/../x", "a//b", "%00", "a%0Ab", "%FF", ".freehold-uploads/x"]) {
    assert.equal(codeOf(await put(sent)), "InvalidArgument", sent);
  }
  assert.equal(codeOf(await put(`${"a".repeat(256)}`)), "KeyTooLongError");
  assert.deepEqual(readdirSync(path.join(service.folder, "..")).sort(), [
    "data",
    "freehold-uploads",
  ]);
  for (const [query, code] of [
    ["?lifecycle", "NotImplemented"],
    ["?versions", "NotImplemented"],
    ["?continuation-token=%21&list-type=2", "InvalidArgument"],
    ["?max-keys=x", "InvalidArgument"],
  ]) {
    assert.equal(codeOf(await sendRaw(service, { path: query! })), code, query);
  }
  const anonymous = await fetch(`${service.s3Url}/${service.bucket}/a`);
  assert.equal(anonymous.status, 403);
  assert.match(await anonymous.text(), /<Code>AccessDenied/);
});

test("a presigned URL works until it expires", async (t) => {
  const service = await startS3(t);
  const entry = npmClient(t, "@aws-sdk/s3-request-presigner/dist-cjs/index.js");
  const js = await jsClient(t, service);
  if (!entry || !js) return;
  const { getSignedUrl } = await import(pathToFileURL(entry).href);
  const signed = (name: string, more: object = {}) => {
    const command = new js.sdk[`${name}Command`]({ Bucket: service.bucket, Key: "a b" });
    return getSignedUrl(js.client, command, { expiresIn: 60, ...more }) as Promise<string>;
  };
  const put = await fetch(await signed("PutObject"), { method: "PUT", body: "presigned" });
  assert.equal(put.status, 200, await put.text());
  assert.equal(await (await fetch(await signed("GetObject"))).text(), "presigned");
  const signingDate = new Date(Date.now() - 120_000);
  const expired = await fetch(await signed("GetObject", { signingDate }));
  assert.match(await expired.text(), /Request has expired/);
  const changed = await fetch((await signed("GetObject")).replace("a%20b", "other"));
  assert.match(await changed.text(), /SignatureDoesNotMatch/);
});

test("an object that does not fit is refused before its first byte", async (t) => {
  const service = await startS3(t);
  const bucket = await createVolume(service, 1);
  const small = { ...service, bucket };
  const declared = await sendRaw(small, {
    method: "PUT",
    path: "big",
    payloadHash: "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
    headers: { "x-amz-decoded-content-length": String(2 ** 31) },
    body: () => "",
  });
  assert.deepEqual([declared.status, codeOf(declared)], [507, "QuotaExceeded"]);
  const tooLarge = await sendRaw(small, {
    method: "PUT",
    path: "big",
    payloadHash: "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
    headers: { "x-amz-decoded-content-length": String(2 ** 33) },
    body: () => "",
  });
  assert.equal(codeOf(tooLarge), "EntityTooLarge");
});
