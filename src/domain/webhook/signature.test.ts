import assert from "node:assert/strict";
import { test } from "node:test";
import { isWebhookSecret, WebhookSignature } from "./signature.ts";

// The example of the Standard Webhooks specification's reference libraries.
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = '{"test": 2432232314}';
const expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

test("the published example has its published signature, in one piece or in several", () => {
  for (const parts of [[body], [...body]]) {
    const signature = new WebhookSignature(
      "msg_p5jXN8AQM9LWM0D4loKWxJek",
      1_614_265_330_123,
      secret,
    );
    for (const part of parts) signature.update(part);
    assert.deepEqual(signature.headers(), {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": expected,
    });
  }
});

test("without a secret there are an id and a time, and no signature", () => {
  const signature = new WebhookSignature("m", 5_000, null);
  assert.equal(signature.desired, false);
  assert.deepEqual(signature.headers(), { "webhook-id": "m", "webhook-timestamp": "5" });
});

test("a secret is 24 to 64 bytes of base64 after its prefix", () => {
  assert.ok(isWebhookSecret(secret));
  assert.ok(!isWebhookSecret("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
  assert.ok(!isWebhookSecret("whsec_c2hvcnQ="));
  assert.ok(!isWebhookSecret("whsec_not base64 at all, and long enough for it"));
  assert.ok(!isWebhookSecret(`whsec_${"A".repeat(100)}`));
  assert.ok(isWebhookSecret(`whsec_${Buffer.alloc(25, 7).toString("base64")}`));
  assert.ok(!isWebhookSecret(`whsec_${Buffer.alloc(25, 7).toString("base64url")}`), "no padding");
  assert.ok(!isWebhookSecret(`${secret}==`), "too much padding");
});
