// What all replicas share of the certificates from an ACME server: the account, the certificate, the challenges that are
// open, and the last failure. Keys are sealed with the service's secret key.

import { createHash, X509Certificate } from "node:crypto";
import type { Logger } from "../../base/log.ts";
import { UnsealError, type Vault } from "../../base/vault.ts";
import type { AcmeSettings } from "../../config/certificate/acme-config.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import {
  deleteSetting,
  ensureSetting,
  findSetting,
  saveSetting,
} from "../../store/setting/setting.ts";

const CERTIFICATE = "tls_acme_certificate";
const FAILURE = "tls_acme_failure";

export interface IssuedCertificate {
  /** PEM, with the certificates of the authorities in between. */
  cert: string;
  key: string;
  /** A digest of the settings that it was ordered with. */
  orderedAs: string;
}

export interface Failure {
  /** The server's own sentence, if it gave one. */
  sentence: string;
  /** How many orders failed in a row. */
  count: number;
  /** Unix time in milliseconds. */
  since: number;
  at: number;
  retryAt: number;
  orderedAs: string;
}

/** Another server, name or profile needs another certificate, and can be tried at once. */
export function orderDigest({ directory, names, profile }: AcmeSettings): string {
  return createHash("sha256")
    .update(JSON.stringify([directory, names, profile]))
    .digest("hex");
}

export class AcmeStore {
  readonly #store: Store;
  readonly #vault: Vault;
  readonly #log: Logger;
  /** Damaged values that the log has. */
  readonly #reported = new Set<string>();

  constructor(store: Store, vault: Vault, log: Logger) {
    this.#store = store;
    this.#vault = vault;
    this.#log = log;
  }

  /** The key of the account at a server. `create` makes it with the first order. */
  async accountKey(directory: string, create: () => Promise<string>): Promise<string> {
    const name = `tls_acme_account_${digestOf(directory)}`;
    const stored =
      (await this.#store.read(findSetting, name)) ??
      (await this.#store.write(ensureSetting, name, this.#vault.seal(await create(), name)));
    try {
      return this.#vault.open(stored, name);
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      this.#log.warn({ directory }, `the account's key: ${error.message}; another account is made`);
      const key = await create();
      await this.#store.write(saveSetting, name, this.#vault.seal(key, name));
      return key;
    }
  }

  /** Null if there is none, or a damaged one. */
  async certificate(): Promise<IssuedCertificate | null> {
    const stored = await this.#store.read(findSetting, CERTIFICATE);
    return this.#parsed(CERTIFICATE, stored, (sealed) => {
      const issued = JSON.parse(this.#vault.open(sealed, CERTIFICATE)) as IssuedCertificate;
      new X509Certificate(issued.cert); // throws
      return issued;
    });
  }

  async saveCertificate(certificate: IssuedCertificate): Promise<void> {
    const sealed = this.#vault.seal(JSON.stringify(certificate), CERTIFICATE);
    await this.#store.write(saveIssued, sealed);
  }

  /** Null if there is none, or a damaged one. */
  async failure(): Promise<Failure | null> {
    const stored = await this.#store.read(findSetting, FAILURE);
    return this.#parsed(FAILURE, stored, (text) => {
      const failure = JSON.parse(text) as Failure;
      const { count, since, at, retryAt } = failure;
      if ([count, since, at, retryAt].every(Number.isFinite)) return failure;
      throw new Error("it has no times");
    });
  }

  async saveFailure(failure: Failure): Promise<void> {
    await this.#store.write(saveSetting, FAILURE, JSON.stringify(failure));
  }

  /** Any replica can get the server's request. */
  async openChallenge(token: string, answer: string): Promise<void> {
    await this.#store.write(saveSetting, challengeName(token), answer);
  }

  async closeChallenge(token: string): Promise<void> {
    await this.#store.write(deleteSetting, challengeName(token));
  }

  answerFor(token: string): Promise<string | null> {
    return this.#store.read(findSetting, challengeName(token));
  }

  #parsed<T>(name: string, stored: string | null, parse: (text: string) => T): T | null {
    if (stored === null) return null;
    try {
      return parse(stored);
    } catch (error) {
      if (!this.#reported.has(stored)) {
        this.#reported.add(stored);
        const { message } = error as Error;
        this.#log.warn({ setting: name }, `it is damaged, and taken as missing: ${message}`);
      }
      return null;
    }
  }
}

function* saveIssued(sealed: string): Tx<void> {
  yield* saveSetting(CERTIFICATE, sealed);
  yield* deleteSetting(FAILURE);
}

const challengeName = (token: string) => `tls_acme_challenge_${token}`;

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
