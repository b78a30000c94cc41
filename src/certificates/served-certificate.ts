// The certificate that all listeners serve. It is read again when its files change; what cannot be served leaves the
// certificate before it in place.

import type { Logger } from "../base/log.ts";
import {
  type Certificate,
  type CertificateFiles,
  readCertificate,
  stampOf,
  UnusableCertificate,
} from "../config/certificate/certificate-files.ts";
import type { CertificatePair, CertificateSource } from "../edge/http/tls/tls-entrance.ts";
import type { Loop } from "../loops/engine/loop.ts";

/** A renewal writes two files; between them the key is not the certificate's. */
const PERIOD_MS = 5_000;

interface ServedDeps {
  log: Logger;
  now: () => number;
}

export class ServedCertificate implements CertificateSource {
  readonly #files: CertificateFiles;
  readonly #deps: ServedDeps;
  readonly #listeners: ((pair: CertificatePair) => void)[] = [];
  #certificate: Certificate;
  #stamp: string | null;
  #problem: string | null = null;

  /** Throws UnusableCertificate. */
  constructor(files: CertificateFiles, deps: ServedDeps) {
    this.#files = files;
    this.#deps = deps;
    this.#stamp = stampOf(files);
    this.#certificate = readCertificate(files, deps.now());
  }

  get certificate(): Certificate {
    return this.#certificate;
  }

  /** Why the files are not served; null if they are. */
  get problem(): string | null {
    return this.#problem;
  }

  pair(): CertificatePair {
    return this.#certificate;
  }

  onChange(listener: (pair: CertificatePair) => void): void {
    this.#listeners.push(listener);
  }

  /** Serves the files if they have changed. Connections that are open keep their certificate. */
  refresh(): void {
    const stamp = stampOf(this.#files);
    if (stamp !== null && stamp === this.#stamp && this.#problem === null) return;
    try {
      this.#serve(readCertificate(this.#files, this.#deps.now()));
      this.#stamp = stamp;
      this.#problem = null;
    } catch (error) {
      if (!(error instanceof UnusableCertificate)) throw error;
      if (error.message === this.#problem) return;
      this.#problem = error.message;
      const endsAt = new Date(this.#certificate.endsAt).toISOString();
      this.#deps.log.error(
        { tls: this.#files.certificate },
        `${error.message}; the certificate before it is served on, until ${endsAt}`,
      );
    }
  }

  loop(): Loop {
    const run = async () => {
      this.refresh();
      return null;
    };
    const times = { periodMs: PERIOD_MS, restMs: PERIOD_MS };
    return { name: "tls-certificate", shared: false, ...times, topics: [], run };
  }

  #serve(certificate: Certificate): void {
    const isNew = certificate.cert !== this.#certificate.cert;
    if (!isNew && certificate.key === this.#certificate.key) return;
    this.#certificate = certificate;
    for (const listener of this.#listeners) listener(certificate);
    this.#deps.log.info(
      { endsAt: new Date(certificate.endsAt).toISOString() },
      "TLS certificate read again",
    );
  }
}
