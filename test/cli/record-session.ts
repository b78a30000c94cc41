// Records a session of the command line in tmux as text, docs/cli-session.txt: a real service, real workers, a terminal
// as a person sees it. Usage: node bin/run.mjs test/cli/record-session.ts

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "../fixtures/until.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

const commands = [
  `freehold run hello '{"name": "you"}'`,
  "freehold endpoints",
  `freehold run hello '{"name": "later"}' --async`,
  "freehold jobs list",
  `freehold schedule create --name nightly --endpoint-id hello --cron "0 2 * * *" --input '{"name": "night"}' -q`,
  "freehold schedule run nightly",
  "freehold why nightly",
  "freehold workers",
  "freehold ps",
  "freehold why hello",
  "freehold run nothing '{}'; echo \"exit code $?\"",
];

const folder = mkdtempSync(path.join(tmpdir(), "freehold-session-"));
const socket = path.join(folder, "tmux");
const env = { PATH: `${folder}:${process.env.PATH}`, HOME: folder, LANG: "C.UTF-8" };
const tmux = (...args: string[]) =>
  execFileSync("tmux", ["-S", socket, ...args], { encoding: "utf8", env });

const PROMPT = "$";

/** Resolves when the last line of the terminal is this one. */
async function untilLastLine(isWanted: (line: string) => boolean): Promise<void> {
  await until(() =>
    isWanted(tmux("capture-pane", "-p", "-J").trimEnd().split("\n").at(-1)!.trimEnd()),
  );
}

/** `freehold` as an installation has it. */
const program = path.join(folder, "freehold");
writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${root}bin/freehold.mjs "$@"\n`);
chmodSync(program, 0o755);

const listens = ["--listen", "--proxy-listen", "--s3-listen", "--ssh-listen"];
const flags = listens.flatMap((flag) => [flag, "127.0.0.1:0"]);
const service = spawn(program, ["up", ...flags, "--drivers", "process"], { cwd: folder });
try {
  for await (const text of service.stdout) if (/clients: /.test(String(text))) break;
  const rc = path.join(folder, "rc");
  writeFileSync(rc, `PS1='${PROMPT} '\n`);
  const size = ["-x", "120", "-y", "50"];
  tmux("new-session", "-d", ...size, "-c", folder, `bash --noprofile --rcfile ${rc}`);
  for (const command of commands) {
    await untilLastLine((line) => line === PROMPT);
    tmux("send-keys", "-l", command);
    await untilLastLine((line) => line.endsWith(command));
    tmux("send-keys", "Enter");
  }
  await untilLastLine((line) => line === PROMPT);
  const text = tmux("capture-pane", "-p", "-J", "-S", "-");
  const lines = text.split("\n").map((line) => line.trimEnd());
  const session = lines.join("\n").trim().slice(0, -PROMPT.length).trim();
  writeFileSync(path.join(root, "docs/cli-session.txt"), `${session}\n`);
} finally {
  spawnSync("tmux", ["-S", socket, "kill-server"]);
  service.kill("SIGTERM");
  await once(service, "exit");
  rmSync(folder, { recursive: true, force: true });
}
