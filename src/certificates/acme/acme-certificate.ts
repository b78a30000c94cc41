// The certificate of `--tls auto`. One replica orders it, at the start and by its own life; every replica answers the
// server's challenges and serves it. Until the first one arrives, a temporary certificate is served, which clients refuse.

import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import {
  createRoot,
  generateKeys,
  issuerOf,
} from "../../base/certificate/certificate-authority.ts";
import type { Logger } from "../../base/log.ts";
import { DAY_MS } from "../../base/units.ts";
import type { Vault } from "../../base/vault.ts";
import type { AcmeSettings } from "../../config/certificate/acme-config.ts";
import {
  type CertificateFiles,
  checkPair,
  readCertificate,
  UnusableCertificate,
} from "../../config/certificate/certificate-files.ts";
import { problemFile, TEMPORARY_ROOT } from "../../config/certificate/own-files.ts";
import {
  type CertificateLife,
  renewalFailed,
} from "../../domain/certificate/certificate-ending.ts";
import { isOfFuture, renewalAt, retryAt } from "../../domain/certificate/certificate-renewal.ts";
import { challengeServer } from "../../edge/http/tls/challenge-server.ts";
import type { CertificatePair } from "../../edge/http/tls/tls-entrance.ts";
import { savedText, writeSecret } from "../../installation/data-folder.ts";
import type { Loop } from "../../loops/engine/loop.ts";
import type { Store } from "../../store/engine/store.ts";
import { raiseOperatorEvent } from "../../transactions/notification/raise.ts";
import { AcmeStore, type Failure, type IssuedCertificate, orderDigest } from "./acme-store.ts";
import { OrderFailed, orderCertificate } from "./order-certificate.ts";

const ORDER_PERIOD_MS = 60_000;
const FOLLOW_PERIOD_MS = 5_000;

interface AcmeDeps {
  settings: AcmeSettings;
  dataFolder: string;
  files: CertificateFiles;
  store: Store;
  vault: Vault;
  log: Logger;
  /** The machine's time, which clients compare the certificate with, also under virtual time. */
  now: () => number;
}

export async function openAcmeCertificate(deps: AcmeDeps): Promise<AcmeCertificate> {
  const certificate = new AcmeCertificate(deps);
  await certificate.follow();
  return certificate;
}

export class AcmeCertificate {
  readonly #deps: AcmeDeps;
  readonly #shared: AcmeStore;
  readonly #orderedAs: string;
  readonly #challenges;
  #ordering: Promise<void> | null = null;
  /** What the store did not take: servers limit orders, so it is saved before another one. */
  #unsaved: CertificatePair | null = null;
  #unsavedFailure: Failure | null = null;
  #failedOrders = 0;
  #isEnded = false;

  constructor(deps: AcmeDeps) {
    this.#deps = deps;
    this.#shared = new AcmeStore(deps.store, deps.vault, deps.log);
    this.#orderedAs = orderDigest(deps.settings);
    const answerFor = (token: string) => this.#shared.answerFor(token);
    this.#challenges = challengeServer({ answerFor, publicUrl: deps.settings.publicUrl });
  }

  /** Serves what the store has; a temporary certificate if it has none. */
  async follow(): Promise<void> {
    const { files, settings, now, log } = this.#deps;
    mkdirSync(path.dirname(files.key), { recursive: true, mode: 0o700 });
    this.#showProblem(await this.#failure(now()));
    const issued = await this.#issued();
    if (isServed(files, issued, now())) return;
    const pair = issued ?? temporaryPair(settings.names, now());
    writeSecret(files.key, pair.key.trimEnd());
    writeSecret(files.certificate, pair.cert.trimEnd());
    if (issued !== null) return;
    const { names } = settings;
    log.warn({ names }, "a temporary certificate is served until the ACME server has issued one");
  }

  /** Begins an order if one is due. It may take minutes, so a pass does not wait for it. */
  async orderIfDue(): Promise<void> {
    const now = this.#deps.now();
    if (this.#ordering !== null) return;
    if (!(await this.#isDue(now))) {
      this.#unsaved = null; // another replica was first
      this.#unsavedFailure = null;
      return;
    }
    const failure = await this.#failure(now);
    if (this.#unsaved === null && failure !== null && now < failure.retryAt) return;
    this.#ordering = this.#order(failure).finally(() => {
      this.#ordering = null;
    });
    this.#ordering.catch((err) => {
      this.#deps.log.error({ err }, "what an order led to cannot be saved; the next pass retries");
    });
  }

  /** How many orders failed in a row; 0 once one succeeded. */
  get failedOrders(): number {
    return this.#failedOrders;
  }

  /** The order under way; null if there is none. */
  get ordering(): Promise<void> | null {
    return this.#ordering;
  }

  loops(): Loop[] {
    const follow = {
      name: "acme-follow",
      shared: false,
      topics: [],
      periodMs: FOLLOW_PERIOD_MS,
      restMs: FOLLOW_PERIOD_MS,
      run: async () => {
        await this.follow(); // first: another replica may hold port 80, and order
        await this.#listen();
        return null;
      },
      finish: async () => {
        this.#isEnded = true;
        this.#challenges.close();
        this.#challenges.closeAllConnections();
      },
    };
    const order = {
      name: "acme-order",
      shared: true,
      topics: [],
      periodMs: ORDER_PERIOD_MS,
      restMs: FOLLOW_PERIOD_MS,
      run: async () => {
        await this.orderIfDue();
        return null;
      },
    };
    return [follow, order];
  }

  async #isDue(now: number): Promise<boolean> {
    const issued = await this.#shared.certificate();
    if (issued === null || issued.orderedAs !== this.#orderedAs) return true;
    return now >= renewalAt(lifeOf(issued.cert)) || problemOf(issued, now) !== null;
  }

  /** The last order's; null unless it is of these settings, and of this time. */
  async #failure(now: number): Promise<Failure | null> {
    const failure = this.#unsavedFailure ?? (await this.#shared.failure());
    const counts = failure?.orderedAs === this.#orderedAs && !isOfFuture(failure, now);
    return counts ? failure : null;
  }

  #showProblem(failure: Failure | null): void {
    this.#failedOrders = failure?.count ?? 0;
    const file = problemFile(this.#deps.dataFolder);
    const text = failure && JSON.stringify(failure);
    if (savedText(file) === text) return;
    if (text === null) rmSync(file, { force: true });
    else writeSecret(file, text);
  }

  /** Null if there is none that can be served. */
  async #issued(): Promise<IssuedCertificate | null> {
    const { files, now } = this.#deps;
    const issued = await this.#shared.certificate();
    return issued !== null && isGood(() => checkPair(files, issued, now())) ? issued : null;
  }

  async #order(before: Failure | null): Promise<void> {
    const { settings, log, now } = this.#deps;
    try {
      if (this.#unsaved === null) {
        await this.#listen();
        const pair = await orderCertificate(settings, this.#shared, now);
        const problem = problemOf(pair, now());
        if (problem !== null) throw new OrderFailed(problem, null);
        this.#unsaved = pair;
      }
      if (this.#isEnded) return;
      await this.#shared.saveCertificate({ ...this.#unsaved, orderedAs: this.#orderedAs });
      this.#unsaved = null;
      this.#unsavedFailure = null;
      log.info({ names: settings.names }, "TLS certificate issued by the ACME server");
    } catch (error) {
      if (this.#isEnded) return;
      if (!(error instanceof OrderFailed)) throw error;
      await this.#fail(error, before);
    }
  }

  async #fail(error: OrderFailed, before: Failure | null): Promise<void> {
    const { settings, store, log, now } = this.#deps;
    const at = now();
    const count = (before?.count ?? 0) + 1;
    const failure = {
      sentence: error.message,
      count,
      orderedAs: this.#orderedAs,
      since: before?.since ?? at,
      at,
      retryAt: retryAt(count, error.retryAfterMs, at),
    };
    this.#unsavedFailure = failure;
    const retry = new Date(failure.retryAt).toISOString();
    log.error({ directory: settings.directory, retryAt: retry }, failure.sentence);
    await this.#shared.saveFailure(failure);
    this.#unsavedFailure = null;
    await store.write(raiseOperatorEvent, renewalFailed(settings.names, failure, at));
  }

  async #listen(): Promise<void> {
    const { host, port } = this.#deps.settings.listen;
    const server = this.#challenges;
    if (server.listening || this.#isEnded) return;
    server.listen({ host, port });
    await once(server, "listening").catch(({ message, code }: NodeJS.ErrnoException) => {
      const how =
        code === "EACCES"
          ? "give it the right, such as AmbientCapabilities=CAP_NET_BIND_SERVICE of systemd, or forward port 80 to another one: --acme-listen"
          : "stop what uses it, or forward port 80 to another one: --acme-listen";
      throw new OrderFailed(`${message}; the ACME server calls port 80: ${how}`, null);
    });
  }
}

/** Whether the files are good, and hold this pair if there is one. */
function isServed(files: CertificateFiles, pair: IssuedCertificate | null, now: number): boolean {
  return isGood(() => {
    const { cert, key } = readCertificate(files, now);
    return pair === null || (cert.trim() === pair.cert.trim() && key.trim() === pair.key.trim());
  });
}

function lifeOf(pem: string): CertificateLife {
  const { validFrom, validTo } = new X509Certificate(pem);
  return { startsAt: Date.parse(validFrom), endsAt: Date.parse(validTo) };
}

/** Why no replica can serve what the server issued; null for none. */
function problemOf(pair: CertificatePair, now: number): string | null {
  const names = { certificate: "the certificate that the server sent", key: "its key" };
  try {
    // One that is valid only in a moment, by this machine's time, needs no other.
    checkPair(names, pair, Math.max(now, startOf(pair.cert)));
    return null;
  } catch (error) {
    if (error instanceof UnusableCertificate) return error.message;
    throw error;
  }
}

function startOf(pem: string): number {
  try {
    return lifeOf(pem).startsAt;
  } catch {
    return 0; // checkPair says what is wrong with it
  }
}

/** False for what cannot be served. */
function isGood(check: () => unknown): boolean {
  try {
    return check() !== false;
  } catch (error) {
    if (error instanceof UnusableCertificate) return false;
    throw error;
  }
}

/** A certificate of an authority that no client has. */
function temporaryPair(names: string[], now: number): { cert: string; key: string } {
  const life = { now, endsAt: now + 90 * DAY_MS };
  const keys = generateKeys();
  const root = createRoot(TEMPORARY_ROOT, { names, ranges: [] }, life);
  return { cert: issuerOf(root)(names, keys, life), key: keys.privatePem };
}
