// Certificates for tests, created by openssl: an authority, an engine and a client.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

export interface Certificates {
  /** What a client shows, and by whom it knows the engine. */
  client: { ca: string; cert: string; key: string };
  /** For dockerd, which lets in only whom the authority knows. */
  flags: string[];
}

/** `address` is the engine's. */
export function makeCertificates(folder: string, address = "127.0.0.1"): Certificates {
  const file = (name: string) => path.join(folder, name);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "ignore" });
  const key = (name: string) => openssl("genrsa", "-out", file(`${name}.key`), "2048");
  key("ca");
  const authority = ["-subj", "/CN=authority", "-days", "2", "-out", file("ca.pem")];
  openssl("req", "-x509", "-new", "-key", file("ca.key"), ...authority);
  for (const [name, extensions] of [
    ["engine", `subjectAltName=IP:${address}\nextendedKeyUsage=serverAuth\n`],
    ["client", "extendedKeyUsage=clientAuth\n"],
  ] as const) {
    key(name);
    writeFileSync(file(`${name}.ext`), extensions);
    const request = ["-subj", `/CN=${name}`, "-out", file(`${name}.csr`)];
    openssl("req", "-new", "-key", file(`${name}.key`), ...request);
    const by = ["-CA", file("ca.pem"), "-CAkey", file("ca.key"), "-CAcreateserial", "-days", "2"];
    const into = ["-extfile", file(`${name}.ext`), "-out", file(`${name}.pem`)];
    openssl("x509", "-req", "-in", file(`${name}.csr`), ...by, ...into);
  }
  const read = (name: string) => readFileSync(file(name), "utf8");
  const own = ["--tlscert", file("engine.pem"), "--tlskey", file("engine.key")];
  return {
    client: { ca: read("ca.pem"), cert: read("client.pem"), key: read("client.key") },
    flags: ["--tlsverify", "--tlscacert", file("ca.pem"), ...own],
  };
}
