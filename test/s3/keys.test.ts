// S3 keys: what they open, and for how long.

import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "../accounts/join.ts";
import { pollsArrived } from "../fixtures/service/held-polls.ts";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import { sendSlowly } from "../fixtures/service/slow-request.ts";
import { createVolume, jsClient, type S3KeyPair, startS3 } from "./fixture.ts";
import { sendRaw } from "./raw-request.ts";

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

test("a key that is revoked, or whose member gets another role, while a body is sent stores nothing", async (t) => {
  const service = await startS3(t);
  const { bucket, origin } = service;
  const members: Record<string, { keyId: string; key: string; id: string }> = {};
  for (const name of ["ada", "eve"]) {
    const { member, key, keyId } = await join(service, "dev", name, `${name}@example.org`);
    members[name] = { keyId, key, id: member.id };
  }
  const { ada, eve } = members as Record<"ada" | "eve", (typeof members)[string]>;
  const s3Key = async (key: string): Promise<S3KeyPair> =>
    (await service.call("POST", "/v1/s3-keys", { name: "k" }, { authorization: `Bearer ${key}` }))
      .json;
  const adas = await s3Key(ada.key);
  const eves = await s3Key(eve.key);
  type Put = (between: () => Promise<unknown>) => Promise<{ status: number; text: string }>;
  const signed =
    (pair: S3KeyPair, path: string): Put =>
    (between) =>
      sendRaw({ ...service, s3Key: pair }, { method: "PUT", path, body: () => "text", between });
  const keyed = (key: string, path: string): Put => {
    const headers = { authorization: `Bearer ${key}` };
    const put = { method: "PUT", headers, body: "text" };
    return (between) => sendSlowly(`${origin}/s3/${bucket}/${path}`, put, between);
  };
  const revoke = (path: string) => () => service.call("DELETE", path);
  const demote = (id: string) => () =>
    service.call("PATCH", `/v1/members/${id}`, { role: "billing" });
  for (const [put, lose] of [
    [signed(adas, "a"), revoke(`/v1/s3-keys/${adas.id}`)],
    [keyed(ada.key, "b"), revoke(`/v1/keys/${ada.keyId}`)],
    [signed(eves, "c"), demote(eve.id)],
    [keyed((await join(service, "dev", "Cy", "cy@example.org")).key, "d"), null],
  ] as const) {
    const { status, text } = await put(async () => {
      await pollsArrived(service.call);
      if (lose) assert.ok((await lose()).status < 300);
    });
    assert.equal(status, lose ? 403 : 200, text);
    if (lose) assert.match(text, /AccessDenied.*lost access/);
  }
  const list = await service.call("GET", `/s3/${bucket}?list-type=2`);
  assert.deepEqual(
    [...list.text.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, name]) => name),
    ["d"],
  );
});
