// The unit of systemd: its settings, and the message that makes it active.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { emptyFolder, environment, root, until } from "./installed.ts";

const command = path.join(root, "bin", "freehold.mjs");
const { status: found } = spawnSync("systemd-notify", ["--version"]);
const missing = found === 0 ? false : "systemd is not installed: apt-get install systemd";
if (missing && process.env.CI) throw new Error(missing);

/** Prints the first message with text to the socket that systemd would own. */
const RECEIVER = `import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
sys.stdout.write("listening\\n")
sys.stdout.flush()
text = ""
while not text:
    text = s.recv(4096).decode()
sys.stdout.write(text)
sys.stdout.flush()
`;

test("systemd hears that the service answers", { skip: missing }, async (t) => {
  const folder = emptyFolder(t);
  const socket = path.join(folder, "notify");
  const receiver = spawn("python3", ["-c", RECEIVER, socket], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => receiver.kill());
  await once(receiver.stdout, "data");
  const message = once(receiver.stdout, "data");
  const env = { ...environment, NOTIFY_SOCKET: socket };
  const up = [process.execPath, command, "up", "--listen", "127.0.0.1:0", "--data", "data"];
  await until(t, folder, up, /clients:/, env);
  const [text] = (await message) as [Buffer];
  assert.match(`${text}`, /^READY=1$/m);
  assert.match(`${text}`, /^STATUS=Answers at http:\/\/127\.0\.0\.1:\d+$/m);
});

function printedUnit(...flags: string[]): string {
  const args = [command, "service", "install", "--print", ...flags];
  return spawnSync(process.execPath, args, { encoding: "utf8" }).stdout;
}

for (const flags of [[], ["--user"]]) {
  test(`systemd accepts the unit of service install ${flags}`, { skip: missing }, (t) => {
    const folder = emptyFolder(t);
    const unit = path.join(folder, "freehold.service");
    const printed = printedUnit(...flags);
    const verify = (content: string) => {
      writeFileSync(unit, content);
      return spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" }).stderr;
    };
    const mentions = (output: string) =>
      output.split("\n").filter((line) => line.includes("freehold"));
    assert.deepEqual(mentions(verify(printed)), []);
    assert.match(verify(printed.replace("KillMode", "KillMood")), /KillMood/);
  });
}

test("systemd rates the unit of the machine as little exposed", { skip: missing }, (t) => {
  const unit = path.join(emptyFolder(t), "freehold.service");
  writeFileSync(unit, printedUnit());
  // Tenths: 10 is the most exposed of 0 to 10. With an engine's group it is 0.1 more.
  const args = ["security", "--offline=true", "--threshold=28", "--no-pager", unit];
  const { status, stdout } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
  assert.equal(status, 0, stdout);
});

test("without systemd nothing is installed", {
  skip: existsSync("/run/systemd/system") && "systemd runs here",
}, () => {
  const { status, stderr } = spawnSync(process.execPath, [command, "service", "install"], {
    encoding: "utf8",
  });
  assert.equal(status, 1);
  assert.match(stderr, /does not run systemd; start Freehold with `freehold up`/);
});
