// Files of Pods over SFTP, with OpenSSH's clients. One image has nothing but BusyBox, the other the shell and the
// programs of a distribution.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { addCleanup } from "../fixtures/cleanup.ts";
import { ensureImage, skipReason, which } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { type ContainerService, startContainerService } from "./container-service.ts";
import { makeIdentity, noClient, run } from "./ssh-client.ts";

const PROGRAMS = [
  "sh",
  "sleep",
  "cat",
  "chmod",
  "chown",
  "dd",
  "ln",
  "mkdir",
  "mv",
  "readlink",
  "rm",
  "rmdir",
  "stat",
  "touch",
];
const noBusyBox = spawnSync("busybox", ["true"]).error && "there is no busybox program";
const skip = skipReason || noClient || noBusyBox || false;
const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });

/** Names that a shell, a terminal or a decoder would change. */
const NAMES = [
  "-n",
  "a 'quoted' name",
  'a "double" one',
  "two\nlines\n",
  "$(id) `id` \\ %s",
  "*",
  "日本 é🙂",
  Buffer.from([0x66, 0xff, 0x80, 0x0a, 0xfe]),
];

interface Pod {
  /** A folder of this machine. */
  folder: string;
  /** Runs commands of `sftp`; it ends at the first that fails. */
  sftp: (...commands: string[]) => ReturnType<typeof run>;
  /** A path that begins with "pod:" is the Pod's. */
  scp: (from: string, to: string) => Promise<void>;
}

async function startPod(t: TestContext, service: ContainerService, imageName: string) {
  const { json, text } = await service.call("POST", "/v1/pods", {
    computeType: "CPU",
    volumeInGb: 1,
    containerDiskInGb: 1,
    imageName,
    dockerEntrypoint: ["sleep"],
    dockerStartCmd: ["1000000"],
  });
  assert.ok(json.id, text);
  const { publicKey, options } = makeIdentity(t, service);
  await service.call("POST", "/v1/ssh-keys", { publicKey });
  await until(podsOf(service).reached, json.id);
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-sftp-"));
  addCleanup(t, () => rmSync(folder, { recursive: true }));
  const at = `${json.id}@127.0.0.1`;
  const pod: Pod = {
    folder,
    sftp: (...commands) => run("sftp", [...options, "-b", "-", at], `${commands.join("\n")}\n`),
    async scp(from, to) {
      const paths = [from, to].map((each) => each.replace(/^pod:/, `${at}:`));
      const { code, stderr } = await run("scp", ["-r", "-p", ...options, ...paths]);
      assert.equal(code, 0, stderr);
    },
  };
  return pod;
}

const checks: [name: string, run: (pod: Pod) => Promise<void>][] = [];
const check = (...each: (typeof checks)[number]) => void checks.push(each);

check("scp copies folders with any names, permissions and times", async ({ folder, scp }) => {
  const [from, back] = [path.join(folder, "from"), path.join(folder, "back")];
  mkdirSync(path.join(from, "sub"), { recursive: true });
  const sizes = [0, 1, 255, 16_384, 16_385, 70_000, 1_200_000];
  NAMES.forEach((name, at) => {
    const file = Buffer.concat([Buffer.from(`${from}/`), Buffer.from(name)]);
    writeFileSync(file, randomBytes(sizes[at % sizes.length]!));
  });
  writeFileSync(
    path.join(from, "sub/every"),
    Buffer.from(Array.from({ length: 256 }, (_, n) => n)),
  );
  chmodSync(path.join(from, "sub/every"), 0o751);
  utimesSync(path.join(from, "sub/every"), 1_000_000_000, 1_234_567_890);
  await scp(from, "pod:/tmp/copy");
  await scp("pod:/tmp/copy", back);
  assert.deepEqual(treeOf(back), treeOf(from));
  const { mode, mtimeMs } = statSync(path.join(back, "sub/every"));
  assert.deepEqual([mode & 0o7777, mtimeMs], [0o751, 1_234_567_890_000]);
  // A shorter file replaces a longer one.
  await scp(path.join(from, "sub/every"), "pod:/tmp/copy/*");
  await scp("pod:/tmp/copy/\\*", path.join(folder, "shorter"));
  assert.equal(statSync(path.join(folder, "shorter")).size, 256);
});

check("sftp lists, makes, renames, links and removes", async ({ folder, sftp }) => {
  writeFileSync(path.join(folder, "five"), "12345");
  const { code, stdout, stderr } = await sftp(
    ...["mkdir /tmp/d", "cd /tmp/d", "pwd", `put ${folder}/five`, "rename five 'new name'"],
    ...["chmod 640 'new name'", "symlink 'new name' link", "ln 'new name' hard", "ls -la"],
    ...[`get link ${folder}/linked`, "rm hard", "rm link", "mkdir empty", "rmdir empty", "ls -1"],
  );
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Remote working directory: \/tmp\/d$/m);
  assert.match(stdout, /^-rw-r----- +2 0 +\S+ +5 \w{3} +\d+ +\d{4} new name$/m);
  assert.match(stdout, /^lrwxrwxrwx .* link$/m);
  assert.match(stdout, /^drwx.* \.$/m);
  assert.match(stdout, /ls -1\nnew name\n$/);
  assert.equal(readFileSync(path.join(folder, "linked"), "utf8"), "12345");
});

check("an upload and a download are resumed", async ({ folder, sftp }) => {
  const content = randomBytes(400_000);
  writeFileSync(path.join(folder, "part"), content.subarray(0, 100_001));
  assert.equal((await sftp(`put ${folder}/part /tmp/whole`)).code, 0);
  writeFileSync(path.join(folder, "part"), content);
  writeFileSync(path.join(folder, "whole"), content.subarray(0, 70_003));
  const commands = [`reput ${folder}/part /tmp/whole`, `reget /tmp/whole ${folder}/whole`];
  const { code, stderr } = await sftp(...commands);
  assert.equal(code, 0, stderr);
  assert.equal(digestOf(readFileSync(path.join(folder, "whole"))), digestOf(content));
});

check("what fails says why", async ({ folder, sftp }) => {
  writeFileSync(path.join(folder, "file"), "x");
  const failing: [string, RegExp][] = [
    ["get /tmp/nothing", /"\/tmp\/nothing" not found/],
    ["ls /tmp/nothing", /"\/tmp\/nothing" not found/],
    ["cd /tmp/nothing/deeper", /No such file or directory/],
    [`put ${folder}/file /tmp/nothing/file`, /No such file or directory/],
    ["rm /tmp/nothing", /No such file or directory/],
    ["mkdir /sys/new", /Permission denied/],
    [`put ${folder}/file /sys/new`, /Permission denied/],
    ["rmdir /tmp", /Failure/],
    ["mkdir /tmp", /Failure/],
  ];
  const { stdout, stderr } = await sftp(...failing.map(([command]) => `-${command}`), "pwd");
  assert.match(stdout, /working directory/, "the session goes on");
  for (const [command, error] of failing) assert.match(stderr, error, command);
});

check("50 MB arrive whole", async ({ folder, scp }) => {
  const content = randomBytes(50_000_000);
  writeFileSync(path.join(folder, "large"), content);
  await scp(path.join(folder, "large"), "pod:/tmp/large");
  await scp("pod:/tmp/large", path.join(folder, "again"));
  assert.equal(digestOf(readFileSync(path.join(folder, "again"))), digestOf(content));
});

test("files over SFTP, without an SFTP server in the image", {
  skip,
  timeout: 300_000,
}, async (t) => {
  const service = await startContainerService(t, { env: { FREEHOLD_MACHINE: machine } });
  const images = {
    BusyBox: ensureImage(service.host, "freehold-test-busybox:1", () =>
      PROGRAMS.map((program) => [program, which("busybox")]),
    ),
    "a distribution": ensureImage(service.host, "freehold-test-coreutils:1", () =>
      PROGRAMS.map((program) => [program, which(program)]),
    ),
  };
  for (const [name, image] of Object.entries(images)) {
    const pod = await startPod(t, service, image);
    // The programs differ; how SFTP treats a file does not.
    const own = name === "BusyBox" ? checks : checks.slice(0, 2);
    for (const [does, run] of own) await t.test(`${name}: ${does}`, () => run(pod));
  }
});

/** The digest of each file by its name. */
function treeOf(folder: string | Buffer): Record<string, string> {
  const entries = readdirSync(folder, { encoding: "buffer" }).map((name): [string, string] => {
    const file = Buffer.concat([Buffer.from(folder), Buffer.from("/"), name]);
    const content = statSync(file).isFile() ? digestOf(readFileSync(file)) : treeOf(file);
    return [name.toString("latin1"), JSON.stringify(content)];
  });
  return Object.fromEntries(entries.sort());
}

const digestOf = (content: Buffer) => createHash("sha256").update(content).digest("hex");
