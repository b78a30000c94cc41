// The roots of a program that trusts an authority of Freehold's own beside those that it trusts already. Most runtimes
// can only be given a file that replaces their roots, so the file holds all of them.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { getCACertificates } from "node:tls";

/** Variables that name a file of roots. The user's own choice is kept. */
const FILE_VARIABLES = ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "AWS_CA_BUNDLE"];

/** Writes the bundle to `folder` and returns its path. */
export function writeRootBundle(
  folder: string,
  authority: string,
  environment: NodeJS.ProcessEnv,
): string {
  const file = path.join(folder, "roots.pem");
  writeFileSync(file, rootBundle(authority, environment));
  return file;
}

export function rootBundle(authority: string, environment: NodeJS.ProcessEnv): string {
  const roots = new Set<string>();
  for (const name of FILE_VARIABLES) {
    const file = environment[name];
    if (file) for (const root of certificatesOf(file)) roots.add(root);
  }
  for (const root of getCACertificates("system")) roots.add(root.trim());
  for (const root of getCACertificates("bundled")) roots.add(root.trim());
  return `${[authority.trim(), ...roots].join("\n")}\n`;
}

function certificatesOf(file: string): string[] {
  try {
    return (
      readFileSync(file, "utf8").match(
        /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g,
      ) ?? []
    );
  } catch {
    return [];
  }
}
