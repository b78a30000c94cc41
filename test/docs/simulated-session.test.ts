// The session of docs/simulated-driver.md, run as it is shown: the public Python SDK, OpenSSH and curl with a Pod that no
// container engine runs.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { makeIdentity, noClient } from "../docker/ssh-client.ts";
import { startService } from "../fixtures/service/service.ts";
import { virtual } from "../fixtures/service/virtual-service.ts";
import { pythonWith } from "../sdk/python-environment.ts";

const ROOT = path.join(import.meta.dirname, "..", "..");

interface Step {
  command: string;
  /** What it prints; an ellipsis stands for any characters of a line. */
  output: string;
}

function documentedSteps(): Step[] {
  const page = readFileSync(path.join(ROOT, "docs/simulated-driver.md"), "utf8");
  const session = /```console\n(.*?)```/s.exec(page)![1]!;
  return session
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [first, ...rest] = text.trimEnd().split("\n");
      const further = rest.filter((line) => line.startsWith("> ")).map((line) => line.slice(2));
      const printed = rest.filter((line) => !line.startsWith("> "));
      return { command: [first, ...further].join("\n"), output: printed.join("\n") };
    });
}

const patternOf = (output: string) =>
  new RegExp(`^${output.split("…").map(RegExp.escape).join(".*")}$`);

test("the session of the simulated driver's page prints what the page shows", {
  skip: noClient,
}, async (t) => {
  const python = pythonWith(t, "1.12.0");
  if (!python) return;
  const service = await startService(t, { ...virtual, drivers: "process,simulated" });
  const { options, publicKey } = makeIdentity(t, service);
  await service.call("POST", "/v1/ssh-keys", { publicKey });
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-session-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const programs = {
    freehold: [process.execPath, path.join(ROOT, "bin/freehold.mjs")],
    python3: [python],
    runpod: [path.join(path.dirname(python), "runpod")],
    ssh: ["/usr/bin/env", "-S", `PATH=${process.env.PATH}`, "ssh", ...options],
  };
  // The data folder is not that of the current folder.
  const ends: Record<string, string> = { freehold: `--data '${service.dataFolder}'` };
  for (const [name, words] of Object.entries(programs)) {
    const file = path.join(folder, name);
    writeFileSync(
      file,
      `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(" ")} "$@" ${ends[name] ?? ""}\n`,
    );
    chmodSync(file, 0o755);
  }
  const steps = documentedSteps();
  const ports = { 8701: new URL(service.proxyOrigin!).port, 8703: service.sshAddress!.port };
  const script = steps
    .map(({ command }) => `${command}\nprintf '\\f'`)
    .join("\n")
    .replace(/\b870[13]\b/g, (port) => `${ports[port as unknown as keyof typeof ports]}`);
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
  };
  const shell = spawn("bash", ["-c", script], { env, stdio: ["ignore", "pipe", "pipe"] });
  const [text, errors] = await Promise.all(
    [shell.stdout, shell.stderr].map((stream) => stream.toArray()),
  );
  const outputs = Buffer.concat(text!).toString().split("\f");
  for (const [n, { command, output }] of steps.entries())
    assert.match(outputs[n]!.trimEnd(), patternOf(output), `${command}\n${Buffer.concat(errors!)}`);
});
