// The certificate of `--tls local`: issued at the start, and again when two thirds of its life are over, when the machine
// has another name or address, and when the root is another one.

import { X509Certificate } from "node:crypto";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { generateKeys, issuerOf } from "../../base/certificate/certificate-authority.ts";
import type { Logger } from "../../base/log.ts";
import { Refusal } from "../../base/refusal.ts";
import { DAY_MS } from "../../base/units.ts";
import type { Vault } from "../../base/vault.ts";
import {
  type CertificateFiles,
  covers,
  readCertificate,
  UnusableCertificate,
} from "../../config/certificate/certificate-files.ts";
import { writeRoot } from "../../config/certificate/own-files.ts";
import type { Config } from "../../config/config.ts";
import type { Interfaces } from "../../config/network/public-address.ts";
import { renewalAt } from "../../domain/certificate/certificate-renewal.ts";
import { writeSecret } from "../../installation/data-folder.ts";
import type { Loop } from "../../loops/engine/loop.ts";
import type { Store } from "../../store/engine/store.ts";
import {
  certifiedNames,
  isPermitted,
  type NamingSettings,
  permittedFor,
} from "./certified-names.ts";
import { type LocalRoot, openLocalRoot, rootEnd, rootProblem } from "./local-authority.ts";

const CERTIFICATE_DAYS = 90;
/** A machine that gets another address is soon reached at it. */
const PERIOD_MS = 30_000;

interface LocalDeps {
  config: NamingSettings & Pick<Config, "dataFolder">;
  files: CertificateFiles;
  store: Store;
  vault: Vault;
  log: Logger;
  /** The machine's time, which clients compare the certificate with, also under virtual time. */
  now: () => number;
  /** The machine's addresses; those it has at each pass unless given. */
  interfaces?: Interfaces;
}

export interface LocalCertificate {
  /** The root's certificate in PEM form, which is public. */
  root(): string;
  loop(): Loop;
}

/** Issues the certificate if it is due. Throws Refusal if the root cannot certify what the settings name. */
export async function openLocalCertificate(deps: LocalDeps): Promise<LocalCertificate> {
  let root = await issueIfDue(deps);
  const run = async () => {
    root = await issueIfDue(deps);
    return null;
  };
  const times = { periodMs: PERIOD_MS, restMs: PERIOD_MS };
  return {
    root: () => root.certificate,
    loop: () => ({ name: "tls-local", shared: false, ...times, topics: [], run }),
  };
}

async function issueIfDue(deps: LocalDeps): Promise<LocalRoot> {
  const { config, files, log } = deps;
  const now = deps.now();
  const { settings, machine } = certifiedNames(config, deps.interfaces);
  const root = await openLocalRoot(deps, permittedFor({ settings, machine }), now);
  const problem = rootProblem(root, settings, now);
  if (problem !== null) throw new Refusal(`FREEHOLD_TLS: ${problem}`);
  // An address that the machine gets later may be none that the root permits.
  const dropped = machine.filter((name) => !isPermitted(root.permitted, name));
  const names = [...settings, ...machine.filter((name) => !dropped.includes(name))];
  writeRoot(config.dataFolder, root.certificate);
  if (!isDue(files, root, names, now)) return root;
  const keys = generateKeys();
  const endsAt = Math.min(now + CERTIFICATE_DAYS * DAY_MS, rootEnd(root));
  const certificate = issuerOf(root)(names, keys, { now, endsAt });
  mkdirSync(path.dirname(files.key), { recursive: true, mode: 0o700 });
  writeSecret(files.key, keys.privatePem.trimEnd());
  writeSecret(files.certificate, certificate.trimEnd());
  log.info({ names, endsAt: new Date(endsAt).toISOString() }, "TLS certificate issued");
  if (dropped.length > 0) {
    log.warn(
      { names: dropped },
      "the root cannot certify these names of the machine; see docs/tls.md",
    );
  }
  return root;
}

function isDue(files: CertificateFiles, root: LocalRoot, names: string[], now: number): boolean {
  try {
    const certificate = readCertificate(files, now);
    const leaf = new X509Certificate(certificate.cert);
    if (!leaf.verify(new X509Certificate(root.certificate).publicKey)) return true;
    if (!names.every((name) => certificate.names.includes(name) || covers(certificate.names, name)))
      return true;
    return now >= renewalAt(certificate) && certificate.endsAt < rootEnd(root);
  } catch (error) {
    if (error instanceof UnusableCertificate) return true;
    throw error;
  }
}
