// The files of the data folder with the certificates that Freehold gets for itself. The root's certificate is there for
// commands of this machine.

import { X509Certificate } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { CertificateFiles } from "./certificate-files.ts";

/** Issuer of the certificate: in files that the operator renews, the local authority, or an ACME server. */
export type Issuer = "operator" | "local" | "acme";

export interface ServedFiles extends CertificateFiles {
  issuer: Issuer;
}

const folderOf = (dataFolder: string) => path.join(dataFolder, "tls");

export const ownFiles = (dataFolder: string, issuer: Exclude<Issuer, "operator">): ServedFiles => ({
  certificate: path.join(folderOf(dataFolder), `${issuer}.pem`),
  key: path.join(folderOf(dataFolder), `${issuer}-key.pem`),
  issuer,
});

export const rootFile = (dataFolder: string): string => path.join(folderOf(dataFolder), "root.pem");

/** Why the ACME server has not issued a certificate, as JSON; missing if it has. */
export const problemFile = (dataFolder: string): string =>
  path.join(folderOf(dataFolder), "acme-problem.json");

/** The name of the root of certificates that are served until the ACME server has issued one. */
export const TEMPORARY_ROOT = "Freehold, until the ACME server answers";

export const isTemporary = (certificate: string): boolean =>
  new X509Certificate(certificate).toLegacyObject().issuer.CN === TEMPORARY_ROOT;

/** It is public. */
export function writeRoot(dataFolder: string, certificate: string): void {
  if (readRoot(dataFolder) === certificate) return;
  mkdirSync(folderOf(dataFolder), { recursive: true, mode: 0o700 });
  writeFileSync(rootFile(dataFolder), certificate, { flush: true });
}

/** Null if the local authority was never used with this folder. */
export function readRoot(dataFolder: string): string | null {
  try {
    return readFileSync(rootFile(dataFolder), "utf8");
  } catch {
    return null;
  }
}

/** SHA-256, as browsers and openssl print it. */
export const fingerprintOf = (certificate: string): string =>
  new X509Certificate(certificate).fingerprint256;
