// The shell of a simulated Pod: exec, terminals, sandboxes and SSH, by their public interfaces.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { freehold } from "../cli/command.ts";
import { commandAddress, openCommand } from "../docker/command.ts";
import { makeIdentity, noClient, run } from "../docker/ssh-client.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "./fixture.ts";

const IMAGE = { driver: "simulated", imageName: "img:1" };

async function shellService(t: TestContext) {
  const service = await simulatedService(t);
  const request = { ...IMAGE, name: "shell", env: { A: "one two" }, containerDiskInGb: 7 };
  const gpus = { gpuTypeIds: ["NVIDIA A30"], gpuCount: 2 };
  const { json, text } = await service.call("POST", "/v1/pods", { ...request, ...gpus });
  assert.ok(json.id, text);
  const id = json.id as string;
  await until(podsOf(service).reached, id);
  const open = (command: string[], more = "") =>
    openCommand(commandAddress(service.origin, id, ...command) + more, service.key);
  return {
    ...service,
    id,
    open,
    /** What a command prints to its two outputs, and its exit code. */
    async exec(command: string[], input: string | null = "") {
      const { send, closed, texts } = await open(command);
      if (input) send(0, input);
      if (input !== null) send(3, '{"eof":true}');
      await closed;
      return [texts[1], texts[2], JSON.parse(texts[3]!).exitCode];
    },
    /** The volume of the Pod, in the data folder. */
    folder: () => path.join(service.dataFolder, "volumes", `pod-${id}`, "data"),
  };
}

type Shared = Awaited<ReturnType<typeof shellService>> & { t: TestContext };
const checks: [name: string, run: (shared: Shared) => Promise<void>][] = [];
const check = (...each: (typeof checks)[number]) => void checks.push(each);

check("a command has input, separate outputs and an exit code", async ({ exec, id }) => {
  const script = 'read -r a; echo "got $a"; echo wrong >&2; cat; exit 3';
  assert.deepEqual(await exec(["bash", "-c", script], "one\ntwo\n"), [
    "got one\ntwo\n",
    "wrong\n",
    3,
  ]);
  assert.deepEqual(await exec(["echo", "a  b", "it's", "$A"], null), ["a  b it's $A\n", "", 0]);
  assert.deepEqual(await exec(["sh", "-c", 'echo "$0 $2"', "x", "y", "z"]), ["x z\n", "", 0]);
  assert.deepEqual(await exec(["nosuch"]), ["", "bash: nosuch: command not found\n", 127]);
  const [printed, , code] = await exec(["sh", "-c", 'echo "$A"; printenv RUNPOD_POD_ID; hostname']);
  assert.deepEqual([printed, code], [`one two\n${id}\n${id}\n`, 0]);
  assert.equal(
    (await exec(["sh", "-c", "trap 'echo bye' EXIT; sleep 0 & wait; false"]))[0],
    "bye\n",
  );
});

check("programs say what the Pod has, and others that they are not simulated", async ({ exec }) => {
  const [list] = await exec(["nvidia-smi", "-L"]);
  assert.match(list!, /^GPU 0: NVIDIA A30 \(UUID: GPU-[\da-f-]{36}\)\nGPU 1: NVIDIA A30 /);
  const query = ["nvidia-smi", "--query-gpu=index,name,memory.total", "--format=csv,noheader"];
  assert.equal((await exec(query))[0], "0, NVIDIA A30, 24576 MiB\n1, NVIDIA A30, 24576 MiB\n");
  assert.match(
    (await exec(["nvidia-smi"]))[0]!,
    /NVIDIA-SMI[\s\S]*NVIDIA A30[\s\S]*MiB \/ 24576MiB/,
  );
  assert.equal((await exec(["nvidia-smi", "--query-gpu=age", "--format=csv"]))[2], 2);
  assert.match((await exec(["df", "-h"]))[0]!, /overlay +7G[\s\S]* \/workspace\n/);
  assert.equal((await exec(["nproc"]))[0], "4\n");
  assert.match((await exec(["ps", "aux"]))[0]!, /PID[\s\S]* 1 /);
  assert.match((await exec(["python3", "--version"]))[0]!, /^Python 3/);
  assert.match((await exec(["uname", "-a"]))[0]!, /^Linux /);
  for (const program of [["rocm-smi"], ["apt-get", "update"], ["python3", "-c", "print(1)"]]) {
    const [, errors, code] = await exec(program);
    assert.equal(code, 127, errors);
  }
});

check("files live with the Pod, those of its volume are real and stay inside", async (shared) => {
  const { exec, folder, call, id, dataFolder } = shared;
  const sh = (script: string) => exec(["sh", "-c", script]);
  await sh("echo kept > /workspace/a; mkdir -p /workspace/d/e; echo lost > /root/b");
  assert.equal(readFileSync(path.join(folder(), "a"), "utf8"), "kept\n");
  writeFileSync(path.join(folder(), "from-outside"), "hello\n");
  assert.equal((await sh("cat /workspace/from* /root/b"))[0], "hello\nlost\n");

  writeFileSync(path.join(dataFolder, "secret"), "secret\n");
  symlinkSync(path.join(dataFolder, "secret"), path.join(folder(), "out"));
  symlinkSync("../../../secret", path.join(folder(), "up"));
  symlinkSync("../../..", path.join(folder(), "folder"));
  symlinkSync("a", path.join(folder(), "same"));
  for (const name of ["out", "up", "folder/secret", "d/../../../../secret"]) {
    const [printed, errors] = await sh(`cat /workspace/${name}; echo x > /workspace/${name}`);
    assert.equal(printed, "", name);
    assert.match(errors!, /No such file/i, name);
    assert.equal(errors!.includes(dataFolder), false, errors);
  }
  assert.equal(readFileSync(path.join(dataFolder, "secret"), "utf8"), "secret\n");
  assert.equal(
    (await sh("cat /workspace/same; rm -r /workspace/folder /workspace/up"))[0],
    "kept\n",
  );
  assert.ok(existsSync(path.join(dataFolder, "secret")));

  await call("POST", `/v1/pods/${id}/restart`);
  await until(async () => {
    const [printed, , code] = await sh("cat /workspace/a; ls /root").catch(() => []);
    return code === 0 && printed === "kept\n" ? true : null;
  });
});

check("a shell reads scripts, and keeps its folder, variables and functions", async ({ exec }) => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: bash expands it
  const element = 'echo "${list[1]}" $E $PWD';
  const script = [
    'f() {\n  echo "f $1 $x"\n}',
    "x=5; list=(1 'a b')\ncd /tmp\nexport E=9\nf one",
    `${element}\nfalse\necho $?\nfor n in 1 2\ndo echo $n\ndone`,
    "cat <<END\ntext $x\nEND\nenv | grep -c ^x=\nexit 4\necho no",
  ];
  const [printed, errors, code] = await exec(["bash"], `${script.join("\n")}\n`);
  assert.equal(printed, "f one 5\na b 9 /tmp\n1\n1\n2\ntext 5\n0\n");
  assert.deepEqual([errors, code], ["", 4]);
});

check("a terminal echoes, edits, interrupts and ends", async ({ open, id }) => {
  const { send, texts, closed } = await open(["bash"], "&tty=true&cols=80&rows=24");
  const after = (text: string) => until(async () => texts[1]!.endsWith(text) || null);
  const prompt = `root@${id}:/workspace# `;
  await after(prompt);
  send(0, "ecjo\x7f\x7f\x7fcho one; cd /tmp\r");
  await after(`\r\none\r\nroot@${id}:/tmp# `);
  send(0, "cat\r");
  await after("cat\r\n");
  send(0, "line\r\x04");
  await after(`line\r\nline\r\nroot@${id}:/tmp# `);
  send(0, "while true; do sleep 1000; done\r");
  await after("done\r\n");
  send(0, "\x03");
  await after(`^C\r\nroot@${id}:/tmp# `);
  send(0, "half\x03");
  await after(`half^C\r\nroot@${id}:/tmp# `);
  send(0, "if true\r");
  await after("> ");
  send(0, "then echo yes; fi\r");
  await after(`yes\r\nroot@${id}:/tmp# `);
  send(0, "\x1b[A\x15(exit 9)\r");
  await after(`(exit 9)\r\nroot@${id}:/tmp# `);
  send(0, "\x04");
  assert.deepEqual(await closed, [1000, "exit 9"]);
});

check("a loop and a large output are bounded and keep nobody waiting", async (shared) => {
  const { exec, open, call, id } = shared;
  const loop = exec(["sh", "-c", "while :; do :; done"]);
  const first = await Promise.race([loop, call("GET", `/v1/pods/${id}`)]);
  assert.equal("status" in first && first.status, 200);
  assert.match((await loop)[1]!, /too many (?:commands|iterations)/);
  const [, errors, code] = await exec(["sh", "-c", "x=12345678; while :; do x=$x$x; done"]);
  assert.match(errors!, /limit exceeded/);
  assert.equal(code, 126);
  const sleeping = await open(["sleep", "100000"]);
  sleeping.socket.terminate();
  assert.deepEqual(await exec(["echo", "on"]), ["on\n", "", 0]);
});

check("a client that reads nothing pauses its shell, and later gets all of it", async (shared) => {
  const { open, exec } = shared;
  const line = `printf '%0100000d\\n' 1\n`;
  const { socket, send, texts, closed } = await open(["bash"]);
  socket.pause();
  send(0, `${line.repeat(60)}echo reached > /tmp/reached\n`);
  send(3, '{"eof":true}');
  const reached = async () => (await exec(["cat", "/tmp/reached"]))[2] === 0;
  // Other shells are served meanwhile.
  for (let n = 0; n < 3; n++) assert.equal(await reached(), false);
  socket.resume();
  await closed;
  assert.equal(texts[1]!.length, 60 * 100_001);
  assert.equal(await reached(), true);
});

check(
  "a shell reads many short lines, long scripts, and refuses what has no end",
  async (shared) => {
    const { exec } = shared;
    // More lines than a call takes as arguments.
    const short = await exec(["bash"], `:\n${"\n".repeat(200_000)}echo on\n`);
    assert.deepEqual(short, ["on\n", "", 0]);
    const body = "  echo a line of a function >> /dev/null\n".repeat(3_000);
    const long = await exec(["bash"], `f() {\n${body}}\nf\necho $?\ncat\nrest\n`);
    assert.deepEqual(long, ["0\nrest\n", "", 0]);
    const { send, closed, texts } = await shared.open(["bash"]);
    send(0, "cat <<END\n");
    for (let n = 0; n < 3; n++) send(0, `${"x".repeat(999)}\n`.repeat(400));
    assert.deepEqual(await closed, [1000, "exit 1"]);
    assert.equal(texts[2], "bash: a command has more than 1048576 characters\n");
  },
);

check("no trap runs for a client that has left", async ({ open, exec }) => {
  const script = "trap 'echo late > /tmp/late' EXIT; echo ready > /tmp/ready; sleep 1000000";
  const { socket } = await open(["sh", "-c", script]);
  await until(async () => (await exec(["cat", "/tmp/ready"]))[2] === 0 || null);
  socket.terminate();
  const alive = await open(["sh", "-c", "trap 'echo kept > /tmp/kept' EXIT"]);
  await alive.closed;
  await until(async () => (await exec(["cat", "/tmp/kept"]))[2] === 0 || null);
  assert.equal((await exec(["cat", "/tmp/late"]))[2], 1);
});

check("a volume takes no more than its size", async ({ call, origin, key, dataFolder }) => {
  const request = { ...IMAGE, volumeInGb: 1, computeType: "CPU" };
  const { json: pod } = await call("POST", "/v1/pods", request);
  const folder = path.join(dataFolder, "volumes", `pod-${pod.id}`, "data");
  const sh = async (script: string) => {
    const { closed, texts } = await openCommand(
      commandAddress(origin, pod.id, "sh", "-c", script),
      key,
    );
    await closed;
    return [texts[1], texts[2]];
  };
  await until(async () => sh("true").catch(() => null));
  writeFileSync(path.join(folder, "large"), "");
  truncateSync(path.join(folder, "large"), 2 ** 30 - 20);
  await sh("cd /workspace; echo 1234 > a; echo 12345678901234 > b");
  assert.match((await sh("cd /workspace; echo 1 > c"))[1]!, /No space left on device/);
  assert.match((await sh("cd /workspace; echo 1 >> a"))[1]!, /No space left on device/);
  assert.match((await sh("cd /workspace; cp /workspace/b a"))[1]!, /No space left on device/);
  assert.equal((await sh("cat /workspace/[ab]"))[0], "1234\n12345678901234\n");
  const [printed] = await sh("cd /workspace; rm large; cp b a; cat a b; df /workspace");
  assert.match(printed!, /^(?:12345678901234\n){2}[\s\S]* 1048576 .* \/workspace\n$/);
});

check("freehold exec and a sandbox run commands", async ({ id, dataFolder, call }) => {
  const short = ["exec", id, "--data", dataFolder, "--", "sh", "-c", "echo $A; exit 5"];
  const answer = await freehold(short);
  assert.deepEqual([answer.code, answer.stdout], [5, "one two\n"], answer.stderr);
  const box = { ...IMAGE, name: "box", containerDiskInGb: 5 };
  const { json: template } = await call("POST", "/v1/templates", box);
  const { json: sandbox } = await call("POST", "/v2/sandboxes", { templateId: template.id });
  const path = `/v2/sandboxes/${sandbox.id}`;
  await until(async () => (await call("GET", path)).json.state === "RUNNING" || null);
  const command = ["sh", "-c", "echo out; echo err >&2; exit 2"];
  const { json } = await call("POST", `${path}/exec`, { command });
  assert.deepEqual([json.stdout, json.stderr, json.exitCode], ["out\n", "err\n", 2]);
});

check("ssh runs commands and scripts", async ({ t, id, call, sshAddress }) => {
  if (noClient) return t.skip(noClient);
  const { publicKey, options } = makeIdentity(t, { sshAddress });
  await call("POST", "/v1/ssh-keys", { publicKey });
  const ssh = (args: string[], input = "") =>
    run("ssh", [...options, `${id}@127.0.0.1`, ...args], input);
  const answer = await ssh(["cat; echo out; echo wrong >&2; exit 3"], "in\n");
  assert.deepEqual(answer, { code: 3, stdout: "in\nout\n", stderr: "wrong\n" });
  const script = await ssh([], "cd /tmp\npwd\nexit 6\n");
  assert.deepEqual([script.code, script.stdout], [6, "/tmp\n"]);
});

check("sftp and scp copy files, into memory and into the volume", async (shared) => {
  const { t, id, call, sshAddress, folder, exec, dataFolder } = shared;
  if (noClient) return t.skip(noClient);
  const { publicKey, options } = makeIdentity(t, { sshAddress });
  await call("POST", "/v1/ssh-keys", { publicKey });
  const at = `${id}@127.0.0.1`;
  const sftp = (...commands: string[]) =>
    run("sftp", [...options, "-b", "-", at], `${commands.join("\n")}\n`);
  const scp = (...args: string[]) => run("scp", ["-p", "-r", ...options, ...args]);
  const local = path.join(dataFolder, "local");
  mkdirSync(path.join(local, "sub"), { recursive: true });
  const large = randomBytes(1_500_000);
  writeFileSync(path.join(local, "sub/large"), large);
  writeFileSync(path.join(local, "a 日本"), "text\n", { mode: 0o640 });
  for (const to of ["/tmp/copy", "/workspace/copy"]) {
    assert.deepEqual(await scp(local, `${at}:${to}`), { code: 0, stdout: "", stderr: "" });
    const back = path.join(dataFolder, `back${to.replaceAll("/", "-")}`);
    assert.equal((await scp(`${at}:${to}`, back)).code, 0);
    assert.deepEqual(readFileSync(path.join(back, "sub/large")), large);
    const [name] = readdirSync(back);
    assert.deepEqual([name, statSync(path.join(back, name!)).mode & 0o777], ["a 日本", 0o640]);
  }
  assert.deepEqual(readFileSync(path.join(folder(), "copy/sub/large")), large);
  assert.equal(
    (await exec(["wc", "-c", "/tmp/copy/sub/large"]))[0]!.trim().split(" ")[0],
    "1500000",
  );

  const moves = await sftp(
    ...["cd /tmp/copy", "mkdir new", "rename sub/large new/moved", "rmdir sub", "ln -s new link"],
    ...["chmod 600 new/moved", "ls -l new", "rm new/moved", "ls -1"],
  );
  assert.equal(moves.code, 0, moves.stderr);
  assert.match(moves.stdout, /-rw------- .* 1500000 .*moved/);
  assert.match(moves.stdout, /a 日本\s+link\s+new\s*$/);
  symlinkSync(dataFolder, path.join(folder(), "outside"));
  for (const command of [
    "ls /workspace/outside/local",
    "get /workspace/outside/secret /dev/null",
  ]) {
    assert.equal((await sftp(command)).code, 1, command);
  }
  const put = `put "${path.join(local, "a 日本")}" /workspace/outside/put`;
  assert.equal((await sftp(put)).code, 1);
  assert.equal(existsSync(path.join(dataFolder, "put")), false);
  assert.match((await sftp("rmdir /tmp", "ls /nowhere")).stderr, /Failure|not empty/i);
});

test("the shell of a simulated Pod", async (t) => {
  const service = await shellService(t);
  for (const [name, run] of checks) await t.test(name, (t) => run({ ...service, t }));
});
