// Hashes of passwords: Argon2id of Node, on its threads beside the event loop. The parameters are in the hash, so that they can grow.

// The name "argon2" cannot be imported from a Node that lacks it.
import crypto, { randomBytes, timingSafeEqual } from "node:crypto";
import { Fault } from "../../domain/fault.ts";

/** OWASP's recommendation: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const PARALLELISM = 1;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** Node has four threads for this and for files; hashes take at most half of them. */
const MAX_AT_ONCE = 2;
/** They take some 3 seconds; then a client had better come again. */
const MAX_WAITING = 100;

interface Parameters {
  memory: number;
  passes: number;
  parallelism: number;
}

const current: Parameters = { memory: MEMORY_KIB, passes: PASSES, parallelism: PARALLELISM };

/** In the form that other programs write, "$argon2id$v=19$m=19456,t=2,p=1$salt$tag". */
const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Whether this Node has Argon2: since 24.7. */
export const hasArgon2 = typeof crypto.argon2 === "function";

export class PasswordHasher {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const tag = await this.#compute(password, salt, current, TAG_BYTES);
    const { memory, passes, parallelism } = current;
    const texts = [salt, tag].map((bytes) => bytes.toString("base64").replaceAll("=", ""));
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${texts.join("$")}`;
  }

  /** The result without a hash is false after the same work, so that the time does not tell whether there is one. */
  async verify(password: string, hash: string | null): Promise<boolean> {
    const parts = hash === null ? null : FORM.exec(hash);
    if (!parts) {
      await this.#compute(password, randomBytes(SALT_BYTES), current, TAG_BYTES);
      return false;
    }
    const [memory, passes, parallelism] = parts.slice(1, 4).map(Number) as [number, number, number];
    const [salt, tag] = parts.slice(4).map((text) => Buffer.from(text, "base64"));
    const parameters = { memory, passes, parallelism };
    return timingSafeEqual(await this.#compute(password, salt!, parameters, tag!.length), tag!);
  }

  /** Whether the hash has earlier parameters than a new one has. */
  isOutdated(hash: string): boolean {
    const { memory, passes, parallelism } = current;
    return !hash.startsWith(`$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`);
  }

  async #compute(password: string, nonce: Buffer, parameters: Parameters, tagLength: number) {
    await this.#enter();
    try {
      // Two forms of one character, as keyboards differ, are one password.
      const message = password.normalize("NFC");
      return await new Promise<Buffer>((resolve, reject) => {
        crypto.argon2("argon2id", { message, nonce, tagLength, ...parameters }, (error, tag) =>
          error ? reject(error) : resolve(tag),
        );
      });
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < MAX_AT_ONCE) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING) {
      const detail = "the service checks many passwords at once";
      throw new Fault("too_many_tries", { detail }, { retryAfterS: 5 });
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** The next one takes the place. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }
}
