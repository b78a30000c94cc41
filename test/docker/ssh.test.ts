// SSH to a Pod without an SSH server in its image, with OpenSSH's client.

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { connect } from "node:net";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { freehold } from "../cli/command.ts";
import { ensureImage, skipReason, which } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { pythonWithAsyncssh } from "../sdk/python-environment.ts";
import { startContainerService } from "./container-service.ts";
import { makeIdentity, noClient, run } from "./ssh-client.ts";

const skip = skipReason || noClient;
const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });

const WEB = 'require("http").createServer((_, a) => a.end("page")).listen(8080, "127.0.0.1")';
const START = 'mkdir -p /root; exec node -e "$0"';
const PROGRAMS = ["node", "bash", "sh", "cat", "sleep", "mkdir", "ls", "stty"];

async function sshService(t: TestContext) {
  const service = await startContainerService(t, { env: { FREEHOLD_MACHINE: machine } });
  const imageName = ensureImage(service.host, "freehold-test-ssh:2", () =>
    PROGRAMS.map((program) => [program, which(program)]),
  );
  const { json, text } = await service.call("POST", "/v1/pods", {
    computeType: "CPU",
    volumeInGb: 1,
    containerDiskInGb: 1,
    imageName,
    dockerEntrypoint: ["sh", "-c", START],
    dockerStartCmd: [WEB],
  });
  assert.ok(json.id, text);
  await until(podsOf(service).reached, json.id);
  const { publicKey, options } = makeIdentity(t, service);
  const id = json.id as string;
  const added = await service.call("POST", "/v1/ssh-keys", { publicKey });
  const at = `${id}@127.0.0.1`;
  const ssh = (command: string, input: string | Buffer = "", ...more: string[]) =>
    run("ssh", [...options, ...more, at, command], input);
  return { ...service, id, at, options, ssh, keyId: added.json.id as string };
}

type Shared = Awaited<ReturnType<typeof sshService>> & { t: TestContext };
const checks: [name: string, run: (shared: Shared) => Promise<void>][] = [];
const check = (...each: (typeof checks)[number]) => void checks.push(each);

check("a command has input, separate outputs and an exit code", async ({ ssh, id }) => {
  const answer = await ssh("cat; echo out; echo wrong >&2; exit 3", "in\n");
  assert.deepEqual(answer, { code: 3, stdout: "in\nout\n", stderr: "wrong\n" });
  assert.equal((await ssh("echo $RUNPOD_POD_ID")).stdout, `${id}\n`);
});

check("freehold ssh opens it with the system's ssh", async ({ id, options, dataFolder }) => {
  const words = ["ssh", id, "--data", dataFolder, "--", ...options, "echo $RUNPOD_POD_ID; exit 4"];
  const answer = await freehold(words);
  assert.deepEqual([answer.code, answer.stdout], [4, `${id}\n`], answer.stderr);
  // Without the program, as freehold exec does.
  const env = { PATH: "/nowhere" };
  const short = ["ssh", id, "--data", dataFolder];
  const fallback = await freehold([...short, "--", "sh", "-c", "exit 4"], { env });
  assert.deepEqual([fallback.code, fallback.stderr], [4, NO_PROGRAM]);
  const withOptions = await freehold([...short, "--", "-L", "1:localhost:1"], { env });
  assert.deepEqual([withOptions.code, /option of ssh/.test(withOptions.stderr)], [2, true]);
});

const NO_PROGRAM = "this machine has no ssh program; running `freehold exec`\n";

check("large input and output arrive whole", async ({ ssh }) => {
  const bytes = randomBytes(6_000_000).toString("base64");
  const { stdout } = await ssh("cat", bytes);
  assert.equal(digestOf(stdout), digestOf(bytes));
});

check("a terminal has a size, and a shell reads commands", async ({ ssh, options, at }) => {
  assert.match((await ssh("stty size", "", "-tt")).stdout, /^\d+ \d+\r\n$/);
  // The end of the input ends the command, and not its output.
  const late = await ssh("cat >/dev/null; sleep 0.3; echo late", "typed\n", "-tt");
  assert.match(late.stdout, /late\r\n$/);
  const shell = await run("ssh", [...options, at], "cd /tmp\npwd\nexit 5\n");
  assert.deepEqual([shell.code, shell.stdout], [5, "/tmp\n"]);
});

check("a port of the Pod's loopback is forwarded, no other host's", async ({ options, at }) => {
  const get = "GET / HTTP/1.0\r\n\r\n";
  const forward = (to: string) => run("ssh", [...options, "-W", to, at], get);
  assert.match((await forward("localhost:8080")).stdout, /page$/);
  assert.notEqual((await forward("localhost:8081")).code, 0);
  assert.notEqual((await forward("192.0.2.1:80")).code, 0);
});

check("asyncssh runs a command and forwards a port with an RSA key", async (service) => {
  const python = pythonWithAsyncssh(service.t);
  if (!python) return;
  const { publicKey, file } = makeIdentity(service.t, service, "rsa");
  await service.call("POST", "/v1/ssh-keys", { publicKey });
  const { stdout, stderr } = await run(python, [
    path.join(import.meta.dirname, "asyncssh_calls.py"),
    `${service.sshAddress!.port}`,
    service.id,
    file,
  ]);
  assert.equal(stdout, "in wrong 3\npage\n", stderr);
});

check("SFTP names the program that the image lacks", async ({ options, at }) => {
  const { code, stderr } = await run("sftp", [...options, "-b", "-", at], "pwd\n");
  assert.equal(code, 255);
  assert.match(stderr, /The image has no stat, which SFTP needs/);
});

check("only a key of the Pod's account opens it", async (service) => {
  const { t, options, at } = service;
  const otherIdentity = makeIdentity(t, service);
  const denied = /Permission denied \(publickey\)/;
  const refused = await run("ssh", [...otherIdentity.options, at, "id"]);
  assert.match(refused.stderr, denied);
  const unknown = await run("ssh", [...options, "k3x9w0dq2m1abc@127.0.0.1", "id"]);
  assert.equal(unknown.stderr.replace(/^\S+@/, ""), refused.stderr.replace(/^\S+@/, ""));
  const other = await service.call("POST", "/v1/accounts", { name: "other" });
  const headers = { authorization: `Bearer ${other.json.key}` };
  const { publicKey } = otherIdentity;
  assert.equal((await service.call("POST", "/v1/ssh-keys", { publicKey }, headers)).status, 200);
  assert.match((await run("ssh", [...otherIdentity.options, at, "id"])).stderr, denied);
});

check("what is no SSH is closed", async (service) => {
  const socket = connect(service.sshAddress!.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.resume();
  socket.write("GET / HTTP/1.1\r\n\r\n".repeat(20));
  await new Promise((resolve) => socket.once("close", resolve));
});

check("connections are in the audit log", async (service) => {
  const { json } = await service.call("GET", "/v1/audit?operation=connect");
  assert.deepEqual([json[0].via, json[0].resourceId], ["ssh", service.id]);
});

check("a deleted key ends its connections and their commands", async (service) => {
  const { ssh } = service;
  const [container] = service.containers();
  const runs = () => service.docker("top", container!).includes("sleep 777");
  const long = ssh("sleep 777");
  await until(() => runs());
  await service.call("DELETE", `/v1/ssh-keys/${service.keyId}`);
  assert.equal((await long).code, 255);
  await until(() => !runs());
  assert.equal((await ssh("id")).code, 255);
});

test("commands, shells and forwards over SSH", { skip, timeout: 240_000 }, async (t) => {
  const service = await sshService(t);
  await until(async () => (await service.ssh("ls /root")).code === 0);
  for (const [name, run] of checks) await t.test(name, () => run({ ...service, t }));
});

const digestOf = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");
