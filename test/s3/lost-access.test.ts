// Tests that copies and downloads end with the access of their key.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { until } from "../fixtures/until.ts";
import { jsClient, startS3 } from "./fixture.ts";
import { codeOf, type RawReply, sendRaw } from "./raw-request.ts";

/** More than the buffers of both ends of a connection hold. */
const DOWNLOAD_BYTES = 64 * 2 ** 20;
/** Takes longer to copy than to notice that it has begun. */
const COPY_BYTES = 128 * 2 ** 20;

/** A service with a sparse file, and keys that can be revoked. */
async function fixture(t: TestContext, bytes: number) {
  const service = await startS3(t);
  await service.call("PUT", `/s3/${service.bucket}/first`);
  const file = path.join(service.folder, "file");
  writeFileSync(file, "");
  truncateSync(file, bytes);
  const { json: s3Key } = await service.call("POST", "/v1/s3-keys", { name: "k" });
  const { json: apiKey } = await service.call("POST", "/v1/keys", { name: "k" });
  const bearer = { authorization: `Bearer ${apiKey.key}` };
  const losses = {
    s3Key: () => service.call("DELETE", `/v1/s3-keys/${s3Key.id}`),
    apiKey: () => service.call("DELETE", `/v1/keys/${apiKey.id}`),
  };
  return { service, s3Key, bearer, losses };
}

const copyOf = (bucket: string) => ({ "x-amz-copy-source": `/${bucket}/file` });

for (const operation of ["CopyObject", "UploadPartCopy"] as const) {
  test(`${operation} stores nothing for a key that is revoked while it copies`, async (t) => {
    const { service, s3Key, bearer, losses } = await fixture(t, COPY_BYTES);
    const { origin, bucket, folder } = service;
    const staging = path.join(folder, "..", "freehold-uploads");
    const headers = copyOf(bucket);
    const begin = await sendRaw(service, { method: "POST", path: "copy?uploads=" });
    const [, uploadId] = /<UploadId>(.*)<\/UploadId>/.exec(begin.text)!;
    const target = operation === "CopyObject" ? "copy" : `copy?partNumber=1&uploadId=${uploadId}`;
    const signed = () => sendRaw({ ...service, s3Key }, { method: "PUT", path: target, headers });
    const keyed = async (): Promise<RawReply> => {
      const all = { ...bearer, ...headers };
      const reply = await fetch(`${origin}/s3/${bucket}/${target}`, {
        method: "PUT",
        headers: all,
      });
      return { status: reply.status, text: await reply.text() };
    };
    for (const [copy, lose] of [
      [signed, losses.s3Key],
      [keyed, losses.apiKey],
    ] as const) {
      const reply = copy();
      await until(() =>
        readdirSync(staging).some((each) => statSync(path.join(staging, each)).size > 0),
      );
      assert.equal((await lose()).status, 204);
      const refusal = await reply;
      assert.deepEqual([refusal.status, codeOf(refusal)], [403, "AccessDenied"]);
      assert.deepEqual(readdirSync(staging), []);
      assert.deepEqual(readdirSync(folder).sort(), ["file", "first"]);
    }
    const parts = await sendRaw(service, { path: `copy?uploadId=${uploadId}` });
    assert.doesNotMatch(parts.text, /<Part>/);
  });
}

test("a download is cut when its key is revoked, and others go on", async (t) => {
  const { service, s3Key, bearer, losses } = await fixture(t, DOWNLOAD_BYTES);
  const js = await jsClient(t, { ...service, s3Key });
  const open = async (headers: object) => {
    const sent = request(`${service.origin}/s3/${service.bucket}/file`, {
      headers: { ...headers },
    });
    const [response] = (await once(sent.end(), "response")) as [IncomingMessage];
    return response;
  };
  const stays = await open({ authorization: `Bearer ${service.key}` });
  const keyed = await open(bearer);
  const signed = js && ((await js.send("GetObject", { Key: "file" })).Body as IncomingMessage);
  assert.equal((await losses.apiKey()).status, 204);
  await assert.rejects(buffer(keyed), { code: "ECONNRESET" });
  assert.equal((await losses.s3Key()).status, 204);
  if (signed) await assert.rejects(buffer(signed), { code: "ECONNRESET" });
  assert.equal((await buffer(stays)).length, DOWNLOAD_BYTES);
});
