// A service with an account's SSH key, and OpenSSH's own client.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { addCleanup } from "../fixtures/cleanup.ts";
import type { TestService } from "../fixtures/service/service.ts";

const hasClient = spawnSync("ssh", ["-V"]).error === undefined;
export const noClient = hasClient ? false : "there is no ssh program";

export interface Identity {
  /** The options that every program of OpenSSH takes. */
  options: string[];
  /** The file of the private key. */
  file: string;
  publicKey: string;
}

/** A new key pair, and the options to use it with the service's SSH server. */
export function makeIdentity(
  t: TestContext,
  { sshAddress }: Pick<TestService, "sshAddress">,
  type: "ed25519" | "rsa" = "ed25519",
): Identity {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-ssh-"));
  addCleanup(t, () => rmSync(folder, { recursive: true }));
  const file = path.join(folder, `id_${type}`);
  const result = spawnSync("ssh-keygen", ["-q", "-t", type, "-N", "", "-f", file]);
  assert.equal(result.status, 0, String(result.stderr));
  const settings = [
    `Port=${sshAddress!.port}`,
    `IdentityFile=${file}`,
    "IdentitiesOnly=yes",
    "BatchMode=yes",
    "StrictHostKeyChecking=no",
    `UserKnownHostsFile=${folder}/known_hosts`,
    "LogLevel=ERROR",
  ];
  return {
    options: ["-F", "none", ...settings.flatMap((each) => ["-o", each])],
    file,
    publicKey: readFileSync(`${file}.pub`, "utf8").trim(),
  };
}

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end with an input. */
export async function run(program: string, args: string[], input: string | Buffer = "") {
  const child = spawn(program, args);
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text) => {
      output[name] += text;
    });
  }
  child.stdin.on("error", () => {}).end(input);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, ...output } satisfies Ran;
}
