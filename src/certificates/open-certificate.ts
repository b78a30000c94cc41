// The certificate that the listeners serve, and the loops that renew it and watch its end.

import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { systemClock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { Vault } from "../base/vault.ts";
import type { Config } from "../config/config.ts";
import type { Loop } from "../loops/engine/loop.ts";
import { watchCertificateLoop } from "../loops/notifications/watch-certificate.ts";
import type { Store } from "../store/engine/store.ts";
import { ServedCertificate } from "./served-certificate.ts";

export interface OpenCertificate {
  /** Null without TLS. */
  certificate: ServedCertificate | null;
  /** The root of the local authority in PEM form; null without one. */
  localRoot: (() => string) | null;
  /** How many orders at the ACME server failed in a row; 0 where none is asked. */
  failedOrders: () => number;
  loops: Loop[];
}

interface Deps {
  store: Store;
  vault: Vault;
  log: Logger;
}

export async function openCertificate(config: Config, deps: Deps): Promise<OpenCertificate> {
  const { tls: files } = config;
  if (files === null) {
    return { certificate: null, localRoot: null, failedOrders: () => 0, loops: [] };
  }
  // Clients compare a certificate with the machine's time, also under virtual time.
  const around = { ...deps, now: systemClock.now };
  const local = files.issuer === "local" ? await openLocal(config, { ...around, files }) : null;
  const acme = config.acme ? await openAcme(config.acme, config, { ...around, files }) : null;
  const certificate = new ServedCertificate(files, around);
  const loops = [certificate.loop(), watchCertificateLoop(certificate, around)];
  return {
    certificate,
    localRoot: local?.root ?? null,
    failedOrders: () => acme?.failedOrders ?? 0,
    loops: [...(local ? [local.loop()] : []), ...(acme?.loops() ?? []), ...loops],
  };
}

async function openAcme(
  settings: NonNullable<Config["acme"]>,
  { dataFolder }: Config,
  deps: Deps & { now: () => number; files: NonNullable<Config["tls"]> },
) {
  const { openAcmeCertificate } = await import("./acme/acme-certificate.ts");
  return openAcmeCertificate({ ...deps, settings, dataFolder });
}

async function openLocal(
  config: Config,
  deps: Deps & { now: () => number; files: NonNullable<Config["tls"]> },
) {
  // Loads a library that only this needs.
  const { openLocalCertificate } = await import("./local-authority/local-certificate.ts");
  const local = await openLocalCertificate({ ...deps, config });
  // Replicas, and webhooks that lead back here, have certificates of this root.
  setDefaultCACertificates([...getCACertificates("default"), local.root()]);
  return local;
}
