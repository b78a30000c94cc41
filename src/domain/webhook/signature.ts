// The headers of a delivery in the Standard Webhooks form, so that receivers can verify it with any
// published library. The body is fed in pieces, because it may be long.

import { createHmac, type Hmac } from "node:crypto";

const PREFIX = "whsec_";

/** The prefix `whsec_`, then 24 to 64 bytes in base64 with its padding, without which receivers in Go refuse the secret. */
export function isWebhookSecret(text: string): boolean {
  const key = keyOf(text);
  return text === `${PREFIX}${key.toString("base64")}` && key.length >= 24 && key.length <= 64;
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), "base64");
}

export class WebhookSignature {
  readonly #hmac: Hmac | null;
  readonly #headers: Record<string, string>;

  /** `at` is the instant of this try; without a secret the delivery goes out unsigned. */
  constructor(messageId: string, at: number, secret: string | null) {
    const timestamp = String(Math.floor(at / 1_000));
    this.#headers = { "webhook-id": messageId, "webhook-timestamp": timestamp };
    this.#hmac = secret === null ? null : createHmac("sha256", keyOf(secret));
    this.#hmac?.update(`${messageId}.${timestamp}.`);
  }

  /** False if nothing is signed, so that a long body need not be read. */
  get desired(): boolean {
    return this.#hmac !== null;
  }

  update(bodyPart: string | Uint8Array): void {
    this.#hmac?.update(bodyPart);
  }

  headers(): Record<string, string> {
    if (!this.#hmac) return this.#headers;
    return { ...this.#headers, "webhook-signature": `v1,${this.#hmac.digest("base64")}` };
  }
}
