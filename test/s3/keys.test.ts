// S3 keys: what they open, and for how long.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import { createVolume, jsClient, startS3 } from "./fixture.ts";

test("a key opens its account's volumes as far as it permits, and no longer than it exists", async (t) => {
  const service = await startS3(t);
  const create = async (body: object) => (await service.call("POST", "/v1/s3-keys", body)).json;
  const second = await createVolume(service);
  const reader = await create({ name: "reader", access: "read", volumeIds: [second] });
  assert.match(reader.id, /^FH[A-Z0-9]{18}$/);
  const one = `/v1/s3-keys/${reader.id}`;
  const { secret, ...shown } = reader;
  assert.deepEqual((await service.call("GET", one)).json, shown);
  assert.deepEqual((await service.call("GET", "/v1/s3-keys")).json.at(-1), shown);
  const unknown = await service.call("POST", "/v1/s3-keys", { name: "x", volumeIds: ["other"] });
  assert.match(unknown.json.message, /there is no "other"/);

  const js = await jsClient(t, service);
  if (!js) return;
  const { send, failure } = js;
  const missing = { Bucket: service.bucket, Key: "a" };
  await send("PutObject", { ...missing, Body: "a" });
  const limited = (await jsClient(t, { ...service, s3Key: { id: reader.id, secret } }))!;
  assert.deepEqual(await limited.failure("GetObject", missing), [404, "NoSuchBucket"]);
  const own = { Bucket: second, Key: "a" };
  assert.deepEqual(await limited.failure("GetObject", own), [404, "NoSuchKey"]);
  assert.deepEqual(await limited.failure("PutObject", { ...own, Body: "a" }), [
    403,
    "AccessDenied",
  ]);

  const other = await createOtherAccount(service);
  const foreign = await service.call("POST", "/v1/s3-keys", { name: "other" }, other);
  const s3Key = foreign.json;
  const outside = (await jsClient(t, { ...service, s3Key }))!;
  for (const name of ["GetObject", "PutObject", "DeleteObject"]) {
    assert.deepEqual(await outside.failure(name, { ...missing, Body: "" }), [404, "NoSuchBucket"]);
  }
  assert.deepEqual(
    (await outside.client.send(new js.sdk.ListBucketsCommand({}))).Buckets ?? [],
    [],
  );

  const wrong = { id: service.s3Key.id, secret: `${service.s3Key.secret}x` };
  const wrongly = (await jsClient(t, { ...service, s3Key: wrong }))!;
  assert.deepEqual(await wrongly.failure("GetObject", missing), [403, "SignatureDoesNotMatch"]);
  const account = (await service.call("GET", "/v1/account")).json.id;
  const byAccount = { id: account, secret: service.s3Key.secret };
  const named = (await jsClient(t, { ...service, s3Key: byAccount }))!;
  assert.equal(await named.failure("GetObject", missing), null);
  const late = (await jsClient(t, service, { systemClockOffset: 3_600_000 }))!;
  assert.deepEqual(await late.failure("GetObject", missing), [403, "RequestTimeTooSkewed"]);

  assert.equal((await service.call("DELETE", `/v1/s3-keys/${service.s3Key.id}`)).status, 204);
  assert.deepEqual(await failure("GetObject", missing), [403, "InvalidAccessKeyId"]);
  const audit = await service.call("GET", "/v1/audit?resourceType=s3Key");
  assert.deepEqual(
    audit.json.map((entry: Record<string, string>) => [entry.operation, entry.outcome]),
    [
      ["revokeS3Key", "done"],
      ["createS3Key", "refused"],
      ["createS3Key", "done"],
      ["createS3Key", "done"],
    ],
  );
  assert.doesNotMatch(audit.text, /rps_/);
});
