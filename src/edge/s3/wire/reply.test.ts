import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { VirtualClock } from "../../../base/clock.ts";
import { Fault } from "../../../domain/fault.ts";
import { sendReply } from "./reply.ts";
import type { S3Request } from "./s3-request.ts";

/** What a client reads of an outcome that fails once the answer has begun, and how many failures are logged. */
async function answerTo(error: Error): Promise<{ text: string; logged: number }> {
  const clock = new VirtualClock();
  const outcome = Promise.withResolvers<string>();
  const response = Object.assign(new PassThrough(), {
    headersSent: false,
    setHeader() {},
    writeHead: () => Object.assign(response, { headersSent: true }),
  });
  let logged = 0;
  const log = { error: () => void logged++ };
  const access = null as unknown as Parameters<typeof sendReply>[0]["access"];
  const request = { message: { complete: true }, response, method: "POST" };
  const deps = { clock, access, log, operation: "CompleteMultipartUpload" };
  const reply = { status: 200, body: { slowXml: outcome.promise } };
  const sent = sendReply(deps, request as unknown as S3Request, reply);
  await clock.advance(10_000);
  outcome.reject(error);
  await sent;
  return { text: String(response.read()), logged };
}

test("a slow operation fails with the same code as a fast one", async () => {
  const unavailable = await answerTo(new Fault("store_unavailable"));
  assert.match(unavailable.text, /<Code>SlowDown<\/Code>/);
  assert.equal(unavailable.logged, 0);
  const unexpected = await answerTo(new Error("secret words"));
  assert.match(unexpected.text, /<Code>InternalError<\/Code>/);
  assert.doesNotMatch(unexpected.text, /secret/);
  assert.equal(unexpected.logged, 1);
});
