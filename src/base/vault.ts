// Seals what must be kept and never be read from the store alone: AES-256-GCM with a key that is not
// in there. A sealed text names the form it has, so that there can be another one some day, and opens
// only for the owner it was sealed for, so that none can be put in the place of another.

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const FORM = "v1";
const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** It was sealed with another key or for another owner, or it is damaged. */
export class CannotOpen extends Error {
  override readonly name = "CannotOpen";
}

export class Vault {
  readonly #key: Buffer;

  /** `key` is 64 hexadecimal digits. */
  constructor(key: string) {
    this.#key = Buffer.from(key, "hex");
  }

  /** `owner` says what it belongs to: "secret:4k1x..." */
  seal(text: string, owner: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce).setAAD(Buffer.from(owner));
    const sealed = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
    return `${FORM}.${Buffer.concat(sealed).toString("base64")}`;
  }

  /** Throws CannotOpen. */
  open(sealed: string, owner: string): string {
    const [form, body = ""] = sealed.split(".");
    const bytes = Buffer.from(body, "base64");
    if (form !== FORM || bytes.length < NONCE_BYTES + TAG_BYTES) {
      throw new CannotOpen("it is not sealed in a form that is known");
    }
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(-TAG_BYTES);
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv(ALGORITHM, this.#key, nonce, options);
    decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString("utf8");
    } catch {
      throw new CannotOpen("it was sealed with another secret key, or it is damaged");
    }
  }
}
