// The settings of certificates from an ACME server, as `--tls auto` gets them.

import { bareHost } from "../../base/url-host.ts";
import { type Address, readAddress } from "../network/listen-address.ts";
import { type Given, settings } from "../settings.ts";

export interface AcmeSettings {
  /** The URL of the server's directory. */
  directory: string;
  /** The contact of the account; null for none. */
  email: string | null;
  /** The profile of certificates, as the server names it; null for its default. */
  profile: string | null;
  /** What the certificate names: DNS names and IP addresses. */
  names: string[];
  /** Where the server's requests arrive, which are for port 80. */
  listen: Address;
  /** Where that listener leads everything else. */
  publicUrl: string;
}

export interface AcmeConfig {
  /** Null unless an ACME server issues the certificate. */
  acme: AcmeSettings | null;
}

export interface AcmePlace {
  host: string;
  publicUrl: string | null;
  proxyDomain: string | null;
  balancerDomain: string | null;
}

const LETS_ENCRYPT = "https://acme-v02.api.letsencrypt.org/directory";
const HTTP_PORT = 80;
const NAMES = ["acmeDirectory", "acmeEmail", "acmeTerms", "acmeProfile", "acmeListen"] as const;

export function readAcme(setting: Given, place: AcmePlace, errors: string[]): AcmeConfig {
  if (setting("tls") !== "auto") {
    const unused = NAMES.find((name) => setting(name) !== null);
    if (unused !== undefined) {
      errors.push(`${settings[unused].variable} is set, but FREEHOLD_TLS is not auto`);
    }
    return { acme: null };
  }
  const directory = readDirectory(setting("acmeDirectory") ?? LETS_ENCRYPT, errors);
  if (setting("acmeTerms") !== "accepted") {
    errors.push(
      `FREEHOLD_TLS is auto: read the terms of service of ${directory}, and set FREEHOLD_ACME_TERMS to accepted`,
    );
  }
  refuseWildcards(place, errors);
  const { publicUrl } = place;
  if (publicUrl === null) {
    errors.push(
      "FREEHOLD_TLS is auto: set FREEHOLD_PUBLIC_URL to the https address with the name of the certificate",
    );
  }
  return {
    acme: {
      directory,
      email: readEmail(setting("acmeEmail"), errors),
      profile: setting("acmeProfile"),
      names: namesOf([publicUrl, setting("s3Url")]),
      listen: readListen(setting("acmeListen"), place.host, errors),
      publicUrl: publicUrl ?? "",
    },
  };
}

function namesOf(urls: (string | null)[]): string[] {
  const hosts = urls.flatMap((url) => (url !== null && URL.parse(url)?.hostname) || []);
  return [...new Set(hosts.map(bareHost))];
}

function readListen(value: string | null, host: string, errors: string[]): Address {
  const usual = { host, port: HTTP_PORT };
  return value === null ? usual : readAddress(settings.acmeListen.variable, value, usual, errors);
}

function readDirectory(value: string, errors: string[]): string {
  if (URL.parse(value)?.protocol !== "https:") {
    errors.push(`FREEHOLD_ACME_DIRECTORY is "${value}"; it takes an https:// URL`);
  }
  return value;
}

function readEmail(value: string | null, errors: string[]): string | null {
  if (value !== null && !/^[^@\s,?]+@[^@\s,?]+$/.test(value)) {
    errors.push(`FREEHOLD_ACME_EMAIL is "${value}"; it takes one address: you@example.org`);
  }
  return value;
}

/** They need records in the DNS, which this service does not set. */
function refuseWildcards({ proxyDomain, balancerDomain }: AcmePlace, errors: string[]): void {
  const domain = proxyDomain ?? balancerDomain;
  if (domain === null) return;
  errors.push(
    `FREEHOLD_TLS is auto, which gets no certificate for *.${domain}: leave the domain out, and Pods are reached by path, ` +
      "or set FREEHOLD_TLS to the files of a certificate with that name",
  );
}
