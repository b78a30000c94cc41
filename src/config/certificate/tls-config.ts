// The settings of TLS, and the names that links have with it.

import path from "node:path";
import { systemClock } from "../../base/clock.ts";
import { bareHost, urlHost } from "../../base/url-host.ts";
import {
  type CertificateFiles,
  covers,
  readCertificate,
  UnusableCertificate,
} from "./certificate-files.ts";
import { ownFiles, type ServedFiles } from "./own-files.ts";

export interface TlsConfig {
  /** The certificate of all listeners; null for plain http. */
  tls: ServedFiles | null;
  /** How long browsers use https only; null to leave that to them. */
  hstsSeconds: number | null;
}

const DAY_S = 86_400;
const MAX_HSTS_DAYS = 730;

/** Where the files of certificates are. */
export interface TlsPlace {
  cwd: string;
  dataFolder: string;
}

export function readTls(
  settings: { tls: string | null; hsts: string | null },
  publicUrl: string | null,
  place: TlsPlace,
  errors: string[],
): TlsConfig {
  const tls = readFiles(settings.tls, place, errors);
  if (tls && publicUrl?.startsWith("http:")) {
    errors.push(`FREEHOLD_PUBLIC_URL is "${publicUrl}"; with FREEHOLD_TLS it takes https://`);
  }
  return { tls, hstsSeconds: readHsts(settings.hsts, tls !== null, errors) };
}

export function readFiles(
  value: string | null,
  { cwd, dataFolder }: TlsPlace,
  errors: string[],
): ServedFiles | null {
  if (value === null || value === "off") return null;
  if (value === "local") return ownFiles(dataFolder, "local");
  if (value === "auto") return ownFiles(dataFolder, "acme");
  const [certificate, key, ...more] = value.split(",").map((each) => each.trim());
  if (certificate && key && more.length === 0) {
    const files = { certificate: path.resolve(cwd, certificate), key: path.resolve(cwd, key) };
    return { ...files, issuer: "operator" };
  }
  errors.push(`FREEHOLD_TLS is "${value}"; it takes local, auto, or two files: cert.pem,key.pem`);
  return null;
}

/** Why the files cannot be served; null if they can. */
export function problemOf(files: CertificateFiles): string | null {
  try {
    readCertificate(files, systemClock.now());
    return null;
  } catch (error) {
    if (error instanceof UnusableCertificate) return error.message;
    throw error;
  }
}

/** The host of links: the address if the certificate is valid for it, otherwise the first name that it has. */
function certifiedHost(files: ServedFiles, address: string): string {
  if (files.issuer === "local") return address; // it certifies each of the machine
  try {
    const { names } = readCertificate(files, systemClock.now());
    if (covers(names, address)) return address;
    return names.find((name) => !name.startsWith("*.")) ?? address;
  } catch (error) {
    if (error instanceof UnusableCertificate) return address;
    throw error;
  }
}

/** An origin on this machine as clients with TLS call it. */
export function overTls<T extends string | null>(files: ServedFiles | null, origin: T): T | string {
  if (files === null || origin === null) return origin;
  const { hostname, port } = new URL(origin);
  const host = certifiedHost(files, bareHost(hostname));
  return `https://${urlHost(host)}:${port || 80}`;
}

function readHsts(value: string | null, hasTls: boolean, errors: string[]): number | null {
  if (value === null || value === "off") return null;
  const days = Number(value);
  if (!/^\d+$/.test(value) || days < 1 || days > MAX_HSTS_DAYS) {
    errors.push(`FREEHOLD_HSTS is "${value}"; it takes off, or 1 to ${MAX_HSTS_DAYS} days`);
  }
  if (!hasTls) errors.push("FREEHOLD_HSTS is set, but FREEHOLD_TLS is not; set both, or neither");
  return days * DAY_S;
}
