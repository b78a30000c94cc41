// Encryption of secrets in the store: AES-256-GCM with a key that is not in the store. A sealed text
// names its format, so that another one can be added, and opens only for the owner that it was sealed
// for, so that one cannot replace another.

import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";

const FORMAT = "v1";
const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The text was sealed with another key or for another owner, or it is damaged. */
export class UnsealError extends Error {
  override readonly name = "CannotOpen";
}

export class Vault {
  readonly #key: Buffer;
  readonly #digestKey: Buffer;

  /** `key` is 64 hexadecimal digits. */
  constructor(key: string) {
    this.#key = Buffer.from(key, "hex");
    this.#digestKey = createHmac("sha256", this.#key).update("digest").digest();
  }

  /** A digest that only a holder of the key can compute, so a stored one reveals no text that can be guessed. */
  digest(text: string): string {
    return createHmac("sha256", this.#digestKey).update(text).digest("hex");
  }

  /** `owner` is the object that the text belongs to: "secret:4k1x..." */
  seal(text: string, owner: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce).setAAD(Buffer.from(owner));
    const sealed = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
    return `${FORMAT}.${Buffer.concat(sealed).toString("base64")}`;
  }

  /** Throws UnsealError. */
  open(sealed: string, owner: string): string {
    const [format, body = ""] = sealed.split(".");
    const bytes = Buffer.from(body, "base64");
    if (format !== FORMAT || bytes.length < NONCE_BYTES + TAG_BYTES) {
      throw new UnsealError("it is not sealed in a known format");
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
      throw new UnsealError("it was sealed with another secret key, or it is damaged");
    }
  }
}
