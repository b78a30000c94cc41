// Pebble, a small ACME server by Let's Encrypt, that runs during a test.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import https from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { addCleanup } from "../fixtures/cleanup.ts";
import { freePort } from "../fixtures/free-port.ts";
import { type GoProgram, goProgram } from "../fixtures/programs/go-program.ts";
import { makeCertificate } from "../fixtures/service/certificate.ts";
import { until } from "../fixtures/until.ts";

export const PEBBLE: GoProgram = {
  name: "pebble",
  module: path.join(import.meta.dirname, "pebble"),
  package: "github.com/letsencrypt/pebble/v2/cmd/pebble",
};

export interface Pebble {
  directory: string;
  /** Where it calls for challenges. */
  httpPort: number;
  /** The root of what it issues, in PEM form. */
  root: string;
}

const SHORT_LIVED_S = 6 * 86_400;

/** Null without Go, and the test is skipped. This process trusts it afterward. */
export async function startPebble(t: TestContext): Promise<Pebble | null> {
  const program = goProgram(t, PEBBLE);
  if (program === null) return null;
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-pebble-"));
  addCleanup(t, () => rmSync(folder, { recursive: true, force: true }));
  const [port, management, httpPort] = [await freePort(), await freePort(), await freePort()];
  const pair = makeCertificate();
  const file = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: file("cert.pem", pair.cert),
    privateKey: file("key.pem", pair.key),
    httpPort,
    tlsPort: httpPort,
    externalAccountBindingRequired: false,
    profiles: { shortlived: { description: "six days", validityPeriod: SHORT_LIVED_S } },
  };
  const config = file("config.json", JSON.stringify({ pebble }));
  const child = spawn(program, ["-config", config], {
    env: { ...process.env, PEBBLE_VA_NOSLEEP: "1", PEBBLE_WFE_NONCEREJECT: "5" },
    stdio: "ignore",
  });
  addCleanup(t, async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, pair.cert]);
  addCleanup(t, () => setDefaultCACertificates(trusted));
  const root = await until(() => textAt(`https://127.0.0.1:${management}/roots/0`, pair.cert));
  return { directory: `https://127.0.0.1:${port}/dir`, httpPort, root };
}

/** Null while nothing answers there. */
function textAt(url: string, ca: string): Promise<string | null> {
  return new Promise((resolve) => {
    const request = https.get(url, { ca, agent: false }, (response) => {
      let text = "";
      response.on("data", (piece) => (text += piece));
      response.on("end", () => resolve(text));
    });
    request.on("error", () => resolve(null));
  });
}
