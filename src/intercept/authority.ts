// The local certificate authority of `freehold intercept`. Its certificate is constrained to the hosted names, so that
// a stolen key is useless for any other host. The key stays in the data folder.

import { createHash, X509Certificate as NodeCertificate } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";
import { createRoot, generateKeys, issuerOf } from "../base/certificate/certificate-authority.ts";
import type { Clock } from "../base/clock.ts";
import { DAY_MS } from "../base/units.ts";

export interface Authority {
  /** PEM. */
  certificate: string;
  /** A certificate for one host, with its key. */
  contextFor(host: string): SecureContext;
}

/** Changes when certificates of authorities get another form, so that earlier ones are replaced. */
const FORM = 2;

const AUTHORITY_DAYS = 3650;
/** An authority is replaced this long before its end, so that no command outlives it. */
const RENEWAL_DAYS = 90;
const HOST_DAYS = 30;
/** How many hosts' certificates are held. */
const MAX_CONTEXTS = 1_000;

/**
 * Loads the authority from `folder`, or creates it. It can only certify `names` and the names below them.
 * The key that certified hosts share exists in memory only.
 */
export function openAuthority(
  folder: string,
  names: string[],
  clock: Pick<Clock, "now">,
): Authority {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, "ca.pem");
  if (!isCurrent(file, names, clock.now())) createAuthority(file, names, clock.now());
  chmodSync(file, 0o600); // a backup may have been restored with another mode
  const pem = readFileSync(file, "utf8");
  const certificate = new NodeCertificate(pem).toString();
  const issue = issuerOf({ certificate, privatePem: pem });
  const hostKeys = generateKeys();
  const contexts = new Map<string, { context: SecureContext; until: number }>();
  return {
    certificate,
    contextFor(host) {
      const now = clock.now();
      const issued = contexts.get(host);
      if (issued && now < issued.until) return issued.context;
      const cert = issue([host], hostKeys, { now, endsAt: now + HOST_DAYS * DAY_MS });
      const context = createSecureContext({ cert, key: hostKeys.privatePem });
      // A container chooses the names, so their number has a limit.
      if (contexts.size >= MAX_CONTEXTS) contexts.clear();
      contexts.set(host, { context, until: now + (HOST_DAYS * DAY_MS) / 2 });
      return context;
    },
  };
}

function isCurrent(file: string, names: string[], now: number): boolean {
  if (!existsSync(file)) return false;
  const certificate = new NodeCertificate(readFileSync(file));
  const renewal = Date.parse(certificate.validTo) - RENEWAL_DAYS * DAY_MS;
  return now < renewal && certificate.subject.includes(authorityName(names));
}

/** The name carries a digest of the names it may certify: an authority made for other names is replaced. */
function authorityName(names: string[]): string {
  const digest = createHash("sha256").update(`${FORM} ${names.join()}`).digest("hex");
  return `Freehold intercept ${digest.slice(0, 8)}`;
}

/** Certificate and key share a file, so that a crash cannot leave one without the other. */
function createAuthority(file: string, names: string[], now: number): void {
  const life = { now, endsAt: now + AUTHORITY_DAYS * DAY_MS };
  const root = createRoot(authorityName(names), { names, ranges: [] }, life);
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, root.certificate + root.privatePem, { mode: 0o600 });
  renameSync(temporary, file);
}
