// A certificate and its key in files, checked before they are served.

import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { isIP, isIPv6 } from "node:net";
import { createSecureContext } from "node:tls";
import { bareHost } from "../../base/url-host.ts";
import type { CertificatePair } from "../../edge/http/tls/tls-entrance.ts";

export interface CertificateFiles {
  certificate: string;
  key: string;
}

export interface Certificate extends CertificatePair {
  /** Unix time in milliseconds. */
  startsAt: number;
  endsAt: number;
  /** SHA-256, in lower-case hexadecimal digits. */
  fingerprint: string;
  /** DNS names and IP addresses. */
  names: string[];
}

/** A file that cannot be served, in one sentence. */
export class UnusableCertificate extends Error {
  override readonly name = "UnusableCertificate";
}

/** Throws UnusableCertificate. */
export function readCertificate(files: CertificateFiles, now: number): Certificate {
  const pair = { cert: textOf(files.certificate), key: textOf(files.key) };
  return checkPair(files, pair, now);
}

/** `files` name the pair in errors. Throws UnusableCertificate. */
export function checkPair(
  files: CertificateFiles,
  { cert, key }: CertificatePair,
  now: number,
): Certificate {
  const leaf = parseLeaf(files.certificate, cert);
  const privateKey = parseKey(files.key, key);
  if (!leaf.checkPrivateKey(privateKey)) {
    throw new UnusableCertificate(
      `${files.key} is not the key of ${files.certificate}, whose first certificate must be the server's own`,
    );
  }
  const [startsAt, endsAt] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)];
  if (endsAt <= now) {
    throw new UnusableCertificate(`${files.certificate} expired at ${isoOf(endsAt)}; renew it`);
  }
  if (startsAt > now) {
    throw new UnusableCertificate(`${files.certificate} is valid only from ${isoOf(startsAt)}`);
  }
  const names = namesOf(leaf);
  if (names.length === 0) {
    throw new UnusableCertificate(
      `${files.certificate} has no subject alternative name, so no client accepts it; issue it with the DNS name`,
    );
  }
  refuseUnusable(files, { cert, key });
  const fingerprint = leaf.fingerprint256.replaceAll(":", "").toLowerCase();
  return { cert, key, startsAt, endsAt, fingerprint, names };
}

/** Changes with the files, also where a link leads to other ones. Null if one is missing. */
export function stampOf({ certificate, key }: CertificateFiles): string | null {
  try {
    return [certificate, key]
      .map((file) => statSync(file))
      .map(({ mtimeMs, size, ino }) => `${mtimeMs}:${size}:${ino}`)
      .join(" ");
  } catch {
    return null;
  }
}

/** Whether a certificate with these names is valid for a host. */
export function covers(names: string[], host: string): boolean {
  const bare = normalName(bareHost(host));
  if (isIP(bare) !== 0) return names.includes(bare);
  const parent = bare.slice(bare.indexOf("."));
  return names.some((name) => name === bare || (name.startsWith("*.") && name.slice(1) === parent));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file" : code;
    throw new UnusableCertificate(`${file} cannot be read: ${reason}`);
  }
}

function parseLeaf(file: string, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new UnusableCertificate(`${file} holds no certificate in PEM form`);
  }
}

function parseKey(file: string, pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    const isLocked = /ENCRYPTED/.test(pem);
    throw new UnusableCertificate(
      isLocked
        ? `${file} is protected by a passphrase; store it without one: openssl pkey -in ${file} -out key.pem`
        : `${file} holds no private key in PEM form`,
    );
  }
}

/** What OpenSSL itself refuses, such as a key that is too short. */
function refuseUnusable({ certificate }: CertificateFiles, pair: CertificatePair): void {
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new UnusableCertificate(`${certificate} cannot be served: ${(error as Error).message}`);
  }
}

const namesOf = ({ subjectAltName = "" }: X509Certificate): string[] =>
  [...subjectAltName.matchAll(/(?:DNS|IP Address):([^,\s"]+)/g)].map(([, name]) =>
    normalName(name!),
  );

/** An IPv6 address has many forms: Node prints that of a certificate with all zeros, and a URL shortens it. */
function normalName(name: string): string {
  if (!isIPv6(name)) return name.toLowerCase();
  const [address] = name.split("%"); // no certificate has a zone
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

const isoOf = (ms: number) => new Date(ms).toISOString();
