// A replica with `--tls auto`, without the rest of its service.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import pino from "pino";
import { Vault } from "../../src/base/vault.ts";
import { AcmeCertificate } from "../../src/certificates/acme/acme-certificate.ts";
import type { AcmeSettings } from "../../src/config/certificate/acme-config.ts";
import { readCertificate } from "../../src/config/certificate/certificate-files.ts";
import { ownFiles, problemFile } from "../../src/config/certificate/own-files.ts";
import type { Store } from "../../src/store/engine/store.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { COMMAND } from "../fixtures/service/command-file.ts";
import { runOn } from "../team/namespaces.ts";

export function newFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-acme-"));
  addCleanup(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const doctorOn = async (dataFolder: string) => {
  const doctor = [process.execPath, COMMAND, "doctor", "--data", dataFolder];
  const env = {
    ...process.env,
    FREEHOLD_TLS: "auto",
    FREEHOLD_ACME_TERMS: "accepted",
    FREEHOLD_PUBLIC_URL: "https://127.0.0.1:1",
  };
  return (await runOn([], doctor, { env })).stdout;
};

export const offline = (port: number): AcmeSettings => ({
  directory: `https://127.0.0.1:${port}/dir`,
  email: null,
  profile: null,
  names: ["127.0.0.1"],
  listen: { host: "127.0.0.1", port },
  publicUrl: "https://127.0.0.1",
});

/** One replica of a service, without the rest of it. */
export function replicaOn(t: TestContext, store: Store, settings: AcmeSettings) {
  const time = { aheadMs: 0 };
  const now = () => Date.now() + time.aheadMs;
  const dataFolder = newFolder(t);
  const files = ownFiles(dataFolder, "acme");
  const log = pino({ level: "silent" });
  const vault = new Vault("5".repeat(64));
  const certificate = new AcmeCertificate({
    settings,
    dataFolder,
    files,
    store,
    vault,
    log,
    now,
  });
  addCleanup(t, () => certificate.loops()[0]!.finish!());
  const order = async () => {
    await certificate.orderIfDue();
    await certificate.ordering;
    await certificate.follow();
  };
  const served = () => readCertificate(files, now());
  const problem = (): { sentence: string; count: number; retryAt: number } | null => {
    const file = problemFile(dataFolder);
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
  };
  return { time, dataFolder, certificate, order, served, problem };
}

/** The store, which refuses transactions of these names. */
export function refusing(store: Store, names: string[]): Store {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name === "write") {
        return async (transaction: () => never, ...parameters: []) => {
          if (names.includes(transaction.name)) throw new Error("the disk is full");
          return target.write(transaction, ...parameters);
        };
      }
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
