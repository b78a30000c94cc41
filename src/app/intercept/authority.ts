// The local certificate authority of `freehold intercept`. Its certificate is constrained to the hosted names, so that
// a stolen key is useless for any other host. The key stays in the data folder.

import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  X509Certificate as NodeCertificate,
} from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";
import forge from "node-forge";
import type { Clock } from "../../base/clock.ts";

export interface Authority {
  /** PEM. */
  certificate: string;
  /** A certificate for one host, with its key. */
  contextFor(host: string): SecureContext;
}

interface Keys {
  publicKey: forge.pki.rsa.PublicKey;
  privateKey: forge.pki.rsa.PrivateKey;
  /** PEM, PKCS #8. */
  privatePem: string;
}

/** Every IPv4 and every IPv6 address, each as an address and its mask. */
const ADDRESS_RANGES = ["\0".repeat(8), "\0".repeat(32)];
/** Changes when certificates of authorities get another form, so that earlier ones are replaced. */
const FORM = 2;

const DAY_MS = 24 * 60 * 60 * 1000;
const AUTHORITY_DAYS = 3650;
/** An authority is replaced this long before its end, so that no command outlives it. */
const RENEWAL_DAYS = 90;
const HOST_DAYS = 30;
/** How many hosts' certificates are held. */
const MAX_CONTEXTS = 1_000;
/** Clocks differ: a certificate is valid from an hour before it is issued. */
const CLOCK_SKEW_MS = 60 * 60 * 1000;

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
  const certificate = forge.pki.certificateFromPem(pem);
  const signingKey = forge.pki.privateKeyFromPem(toPkcs1(pem));
  const hostKeys = generateKeys();
  const contexts = new Map<string, { context: SecureContext; until: number }>();
  return {
    certificate: forge.pki.certificateToPem(certificate),
    contextFor(host) {
      const now = clock.now();
      const issued = contexts.get(host);
      if (issued && now < issued.until) return issued.context;
      const context = issueContext(host, hostKeys, { certificate, signingKey }, now);
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
  const keys = generateKeys();
  const subject = [{ name: "commonName", value: authorityName(names) }];
  const certificate = emptyCertificate(authorityName(names), keys, AUTHORITY_DAYS, now);
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  certificate.setExtensions([
    { name: "basicConstraints", cA: true, pathLenConstraint: 0, critical: true },
    { name: "keyUsage", keyCertSign: true, critical: true },
    { name: "subjectKeyIdentifier" },
    { id: "2.5.29.30", critical: true, value: nameConstraints(names) },
  ]);
  certificate.sign(keys.privateKey, forge.md.sha256.create());
  const temporary = `${file}.${process.pid}`;
  const pem = forge.pki.certificateToPem(certificate) + keys.privatePem;
  writeFileSync(temporary, pem, { mode: 0o600 });
  renameSync(temporary, file);
}

/**
 * RFC 5280, 4.2.1.10: permittedSubtrees [0] of dNSName [2], and excludedSubtrees [1] of every iPAddress [7], which a
 * list of names does not restrict. Encoded here: the library has no name constraints.
 */
function nameConstraints(names: string[]): string {
  const { asn1 } = forge;
  const tagged = (tag: number, constructed: boolean, value: string | forge.asn1.Asn1[]) =>
    asn1.create(asn1.Class.CONTEXT_SPECIFIC, tag, constructed, value);
  const sequence = (value: forge.asn1.Asn1[]) =>
    asn1.create(asn1.Class.UNIVERSAL, asn1.Type.SEQUENCE, true, value);
  const permitted = names.map((name) => sequence([tagged(2, false, name)]));
  const excluded = ADDRESS_RANGES.map((range) => sequence([tagged(7, false, range)]));
  return asn1.toDer(sequence([tagged(0, true, permitted), tagged(1, true, excluded)])).getBytes();
}

function issueContext(
  host: string,
  keys: Keys,
  issuer: { certificate: forge.pki.Certificate; signingKey: forge.pki.rsa.PrivateKey },
  now: number,
): SecureContext {
  const certificate = emptyCertificate(host, keys, HOST_DAYS, now);
  certificate.setSubject([{ name: "commonName", value: host.slice(0, 64) }]);
  certificate.setIssuer(issuer.certificate.subject.attributes);
  certificate.setExtensions([
    { name: "basicConstraints", cA: false, critical: true },
    { name: "keyUsage", digitalSignature: true, keyEncipherment: true, critical: true },
    { name: "extKeyUsage", serverAuth: true },
    { name: "subjectAltName", altNames: [{ type: 2, value: host }] },
    {
      name: "authorityKeyIdentifier",
      keyIdentifier: issuer.certificate.generateSubjectKeyIdentifier().getBytes(),
    },
  ]);
  certificate.sign(issuer.signingKey, forge.md.sha256.create());
  return createSecureContext({
    cert: forge.pki.certificateToPem(certificate),
    key: keys.privatePem,
  });
}

function emptyCertificate(
  name: string,
  keys: Keys,
  days: number,
  now: number,
): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = keys.publicKey;
  // An issuer's numbers must differ: the key is new in every run, and a run issues one certificate per name and instant.
  // The first byte keeps the number positive, as DER requires.
  const digest = createHash("sha256")
    .update(keys.privatePem)
    .update(`${name} ${now}`)
    .digest("hex");
  certificate.serialNumber = `01${digest.slice(0, 30)}`;
  certificate.validity.notBefore = new Date(now - CLOCK_SKEW_MS);
  certificate.validity.notAfter = new Date(now + days * DAY_MS);
  return certificate;
}

/** Generated by Node: the library needs seconds where this needs milliseconds. */
function generateKeys(): Keys {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return {
    publicKey: forge.pki.publicKeyFromPem(publicKey) as forge.pki.rsa.PublicKey,
    privateKey: forge.pki.privateKeyFromPem(privateKey) as forge.pki.rsa.PrivateKey,
    privatePem: privateKey,
  };
}

function toPkcs1(pem: string): string {
  return createPrivateKey(pem).export({ type: "pkcs1", format: "pem" }) as string;
}
