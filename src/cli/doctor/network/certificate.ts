// The check of the TLS certificate: its files, how long it is valid, and whether the running service serves it.

import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:tls";
import { msUntil, systemClock } from "../../../base/clock.ts";
import { DAY_MS } from "../../../base/units.ts";
import { bareHost } from "../../../base/url-host.ts";
import {
  type Certificate,
  covers,
  readCertificate,
  UnusableCertificate,
} from "../../../config/certificate/certificate-files.ts";
import {
  fingerprintOf,
  isTemporary,
  problemFile,
  readRoot,
  rootFile,
} from "../../../config/certificate/own-files.ts";
import type { Config } from "../../../config/config.ts";
import { warningAt } from "../../../domain/certificate/certificate-ending.ts";
import type { RunningService } from "../../client/running-service.ts";
import { LONGEST_CHECK_MS } from "../brief-request.ts";
import type { Finding } from "../finding.ts";
import { readReached } from "./reach.ts";

const about = "TLS";

/** Empty without TLS. */
export async function checkCertificate(
  config: Config,
  service: RunningService | null,
): Promise<Finding[]> {
  // The running service may have got its files by a flag.
  const { tls, publicUrl } = service === null ? config : readReached(config);
  if (tls === null) return [];
  // The first start creates it.
  if (tls.issuer !== "operator" && service === null && !existsSync(tls.certificate)) return [];
  const problem = tls.issuer === "acme" ? problemFinding(config) : null;
  if (problem !== null) return [problem];
  try {
    const certificate = readCertificate(tls, systemClock.now());
    if (tls.issuer === "acme" && isTemporary(certificate.cert)) return [TEMPORARY];
    const host = publicUrl === null ? null : new URL(publicUrl).hostname;
    return [
      await findingOf(certificate, tls.certificate, service),
      ...(tls.issuer === "local" ? rootFinding(config) : []),
      ...(host === null || covers(certificate.names, host) ? [] : [notCovered(certificate, host)]),
    ];
  } catch (error) {
    if (!(error instanceof UnusableCertificate)) throw error;
    const fix = "replace the files; the running service then reads them";
    return [{ level: "fail", about, says: error.message, fix }];
  }
}

async function findingOf(
  certificate: Certificate,
  file: string,
  service: RunningService | null,
): Promise<Finding> {
  const { cert, endsAt } = certificate;
  const days = Math.floor(msUntil(systemClock, endsAt) / DAY_MS);
  const says = `${file} is valid until ${new Date(endsAt).toISOString()}, for ${days} ${days === 1 ? "day" : "days"}`;
  if (systemClock.now() >= warningAt(certificate)) {
    const fix = "renew it, and write the new files over these; the service reads them";
    return { level: "warn", about, says, fix };
  }
  const served = service && (await servedFingerprint(service.origin));
  if (served !== null && served !== new X509Certificate(cert).fingerprint256) {
    const fix = "look at the service's log, or start it with these files";
    return {
      level: "warn",
      about,
      says: `the service serves another certificate than ${file}`,
      fix,
    };
  }
  return { level: "ok", about, says };
}

/** The order that failed last; null if none did since the last certificate. */
function problemFinding({ dataFolder }: Config): Finding | null {
  const file = problemFile(dataFolder);
  if (!existsSync(file)) return null;
  const { sentence, since, retryAt } = JSON.parse(readFileSync(file, "utf8"));
  const says =
    `no certificate was issued: ${sentence} Orders fail since ${new Date(since).toISOString()}; ` +
    `the next one is at ${new Date(retryAt).toISOString()}`;
  const fix = "see docs/tls.md; a start with other settings tries at once";
  return { level: "fail", about, says, fix };
}

const TEMPORARY: Finding = {
  level: "warn",
  about,
  says: "a temporary certificate is served, which clients refuse: the ACME server has not issued one yet",
  fix: "wait a minute; if it stays, look at the service's log, and see docs/tls.md",
};

/** Whether clients have it cannot be seen from here. */
function rootFinding({ dataFolder }: Config): Finding[] {
  const root = readRoot(dataFolder);
  if (root === null) return [];
  const { validTo } = new X509Certificate(root);
  const says =
    `the root that clients install is ${rootFile(dataFolder)}, valid until ` +
    `${new Date(validTo).toISOString()}, SHA-256 ${fingerprintOf(root)}; see docs/tls.md`;
  return [{ level: "ok", about, says }];
}

function notCovered({ names }: Certificate, host: string): Finding {
  return {
    level: "warn",
    about,
    says: `the certificate is not valid for ${host}, the host of links; it names ${names.join(", ")}`,
    fix: "set --public-url to a name of the certificate, or issue it for this one",
  };
}

/** Null if the service speaks no TLS there. */
function servedFingerprint(origin: string): Promise<string | null> {
  const { hostname, port } = new URL(origin);
  return new Promise((done) => {
    const host = bareHost(hostname);
    // Nothing is sent: only the certificate is of interest, valid or not.
    const socket = connect({
      host,
      port: Number(port),
      timeout: LONGEST_CHECK_MS,
      rejectUnauthorized: false,
    });
    const end = (fingerprint: string | null) => {
      socket.destroy();
      done(fingerprint);
    };
    socket.once("timeout", () => end(null));
    socket.once("secureConnect", () => end(socket.getPeerCertificate().fingerprint256));
    socket.once("error", () => end(null));
  });
}
