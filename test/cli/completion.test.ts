// Tests of the completions: the words that are suggested, and the scripts in the shells of this machine.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { freehold } from "./command.ts";

const bin = path.join(import.meta.dirname, "..", "..", "bin", "freehold.mjs");

async function suggested(...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await freehold(["completion", "suggest", "--", ...words]);
  assert.equal(code, 0, stderr);
  return stdout.split("\n").map((line) => line.split("\t")[0]!);
}

test("commands, subcommands, options and values are suggested", async () => {
  const { stdout } = await freehold(["completion", "suggest", "--", "endp"]);
  assert.equal(stdout, "endpoints\tlist, create, change and delete endpoints\n");
  assert.ok((await suggested("pods", "")).includes("restart"));
  assert.deepEqual(await suggested("pods", "create", "--gpu-c"), ["--gpu-count", ""]);
  assert.deepEqual(await suggested("endpoints", "create", "--type", ""), ["QB", "LB", ""]);
  assert.deepEqual(await suggested("machine", "un"), ["undrain", ""]);
  assert.deepEqual(await suggested("s3-keys", ""), [
    "list",
    "get",
    "create",
    "update",
    "delete",
    "",
  ]);
  assert.deepEqual(await suggested("cp", ""), [""]);
  assert.deepEqual(await suggested("env", "--form"), ["--format", ""]);
  assert.deepEqual(await suggested("pods", "list", "--context", ""), ["local", ""]);
  assert.deepEqual(await suggested("none", ""), [""]);
});

test("names are suggested, and nothing if the service does not answer", async (t) => {
  const service = await startService(t);
  const [one, two] = ["an-id", "another-id"];
  for (const id of [one, two]) await service.makeEndpoint({ id });
  await service.call("PATCH", `/v1/endpoints/${one}`, { name: "shop" });
  await service.call("PATCH", `/v1/endpoints/${two}`, { name: "two words" });
  const data = ["--data", service.dataFolder];
  const names = await suggested("endpoints", "get", ...data, "");
  assert.ok(names.includes("shop") && names.includes(two), String(names));
  assert.deepEqual(await suggested("run", ...data, "sh"), ["shop", ""]);
  assert.deepEqual(await suggested("run", "--data", "/nowhere", "--listen", "127.0.0.1:9", ""), [
    "",
  ]);
});

/** The environment of a shell whose `freehold` is this one, in a folder without a Freehold. */
function shellEnv(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-shell-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const script = `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`;
  writeFileSync(path.join(folder, "freehold"), script, { mode: 0o755 });
  return { PATH: `${folder}:${process.env.PATH}`, HOME: folder, XDG_CONFIG_HOME: folder };
}

const missing = (shell: string) => spawnSync(shell, ["-c", "true"]).error && `no ${shell}`;

async function output(t: TestContext, shell: string, script: string): Promise<string> {
  const child = spawn(shell, ["-c", script], { env: shellEnv(t), stdio: ["ignore", "pipe", 2] });
  let text = "";
  child.stdout!.on("data", (piece) => (text += piece));
  await new Promise((resolve) => child.on("close", resolve));
  return text;
}

test("bash completes", { skip: missing("bash") }, async (t) => {
  const script = `source <(freehold completion bash)
    complete -p freehold
    COMP_WORDS=(freehold pods sto) COMP_CWORD=2; _freehold; echo "\${COMPREPLY[@]}"
    COMP_WORDS=(freehold pods create '$(touch injected)' --locke) COMP_CWORD=4; _freehold
    echo "\${COMPREPLY[@]}"; ls injected 2>/dev/null`;
  assert.equal(
    await output(t, "bash", script),
    "complete -o default -F _freehold freehold\nstop\n--locked\n",
  );
});

test("fish completes", { skip: missing("fish") }, async (t) => {
  const script = 'freehold completion fish | source; complete -C "freehold pods sto"';
  assert.equal(await output(t, "fish", script), "stop\tstop Pods\n");
});

test("zsh completes", { skip: missing("zsh") }, async (t) => {
  const script = `autoload -Uz compinit; compinit -u; source <(freehold completion zsh)
    _describe() { print -l -- "\${found[@]}" }
    words=(freehold pods sto) CURRENT=3; _freehold`;
  assert.equal(await output(t, "zsh", script), "stop:stop Pods\n");
});
