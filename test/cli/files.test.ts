// `freehold ls`, `freehold cp` and `freehold s3-keys`, and copies that were interrupted.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { download } from "../../src/cli/files/download.ts";
import { TransferProgress } from "../../src/cli/files/progress.ts";
import { upload } from "../../src/cli/files/upload.ts";
import { VolumeClient, type VolumeRequest } from "../../src/cli/files/volume-client.ts";
import { createVolume, startS3 } from "../s3/fixture.ts";
import { freehold } from "./command.ts";

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-cp-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("files and folders are copied to, from and between volumes, and listed", async (t) => {
  const service = await startS3(t);
  const other = await createVolume(service);
  const here = newFolder(t);
  const { bucket, folder } = service;
  const data = ["--data", service.dataFolder];
  const run = async (...args: string[]) => {
    const { stdout, stderr, code } = await freehold([...args, ...data]);
    assert.equal(stderr, "");
    assert.equal(code, 0);
    return stdout;
  };
  const refusal = async (exitCode: number, ...args: string[]) => {
    const { stderr, code } = await freehold([...args, ...data]);
    assert.equal(code, exitCode);
    return stderr;
  };
  mkdirSync(path.join(here, "tree", "x"), { recursive: true });
  writeFileSync(path.join(here, "tree", "x", "ü # %2F + &.txt"), "odd");
  writeFileSync(path.join(here, "tree", "zero"), "");

  assert.equal(await run("cp", path.join(here, "tree", "zero"), `${bucket}:models/`), "");
  assert.equal(await run("cp", "-r", path.join(here, "tree"), `${bucket}:t`), "");
  assert.equal(readFileSync(path.join(folder, "t", "x", "ü # %2F + &.txt"), "utf8"), "odd");
  assert.match(await run("ls", bucket), /^ +- +- +models\/\n +- +- +t\/\n$/);
  const listed = JSON.parse(await run("ls", "-r", "--json", `${bucket}/t`));
  assert.deepEqual(
    listed.map(({ path: name, size }: { path: string; size: number }) => [name, size]),
    [
      ["x/ü # %2F + &.txt", 3],
      ["zero", 0],
    ],
  );
  assert.equal(await run("cp", "-r", `${bucket}:t`, `${other}:copy`), "");
  const back = path.join(here, "back");
  assert.equal(await run("cp", "-r", `${other}:copy`, back), "");
  assert.equal(readFileSync(path.join(back, "x", "ü # %2F + &.txt"), "utf8"), "odd");
  assert.deepEqual(readdirSync(back).sort(), ["x", "zero"]);

  // A file that is at the target already is left alone with -u, and replaced without.
  writeFileSync(path.join(back, "x", "ü # %2F + &.txt"), "ODD");
  await run("cp", "-ru", `${other}:copy`, back);
  assert.equal(readFileSync(path.join(back, "x", "ü # %2F + &.txt"), "utf8"), "ODD");
  await run("cp", `${other}:copy/x/ü # %2F + &.txt`, path.join(back, "x"));
  assert.equal(readFileSync(path.join(back, "x", "ü # %2F + &.txt"), "utf8"), "odd");

  assert.match(await refusal(2, "cp", `${bucket}:t`, back), /is a folder; add -r/);
  assert.match(await refusal(3, "cp", `${bucket}:none`, back), /there is no file .*freehold ls/s);
  assert.match(await refusal(2, "cp", "a", "b"), /one of the two must be on a volume/);
  assert.match(await refusal(3, "ls", "nowhere"), /there is no network volume "nowhere"/);
  assert.match(await refusal(2, "ls", "data"), /2 network volumes are named "data"; use an id/);
});

test("S3 keys are created, listed and deleted", async (t) => {
  const service = await startS3(t);
  const run = async (...args: string[]) => {
    const { stdout } = await freehold(["s3-keys", ...args, "--data", service.dataFolder]);
    return stdout;
  };
  const created = await run("create", "laptop", "--access", "read", "--volume", "data");
  const id = /^AWS_ACCESS_KEY_ID=(FH\w+)\nAWS_SECRET_ACCESS_KEY=rps_\w+\n/.exec(created)?.[1];
  assert.ok(id, created);
  assert.match(created, /\nIt reads volumes \w+\. The secret is shown once\.\n$/);
  assert.match(await run(), new RegExp(`^${id} +laptop +read +${service.bucket} +- `, "m"));
  assert.equal(await run("delete", "laptop"), `S3 key ${id} is deleted\n`);
  assert.ok(!(await run("list", "--json")).includes(id));
});

/** Notes what is sent, and can fail as a connection does. */
class WatchedClient extends VolumeClient {
  readonly sent: string[] = [];
  failing: (method: string, request: VolumeRequest) => Response | null = () => null;

  override async send(method: string, request: VolumeRequest = {}): Promise<Response> {
    const failure = this.failing(method, request);
    if (failure) return failure;
    const { query, headers } = request;
    if (query?.partNumber) this.sent.push(`part ${query.partNumber}`);
    if (headers?.range) this.sent.push(headers.range);
    return super.send(method, request);
  }
}

test("a copy that was interrupted goes on where it ended", async (t) => {
  const service = await startS3(t);
  const here = newFolder(t);
  const file = path.join(here, "big");
  const bytes = randomBytes(3 * 2 ** 24 + 5);
  writeFileSync(file, bytes);
  const client = new WatchedClient({ origin: service.origin, key: service.key }, service.bucket);
  const progress = new TransferProgress(true);

  client.failing = (_, { query }) => {
    if (query?.partNumber !== "2" && query?.partNumber !== "4") return null;
    throw new Error("the connection ended");
  };
  await assert.rejects(upload(client, file, "big", progress), /the connection ended/);
  client.failing = () => null;
  const before = client.sent.splice(0).sort();
  await upload(client, file, "big", progress);
  const all = ["part 1", "part 2", "part 3", "part 4"];
  assert.deepEqual([...before, ...client.sent].sort(), all, "no part is sent twice");
  assert.ok(readFileSync(path.join(service.folder, "big")).equals(bytes));

  client.sent.length = 0;
  writeFileSync(file, randomBytes(2 ** 24 + 1));
  await upload(client, file, "big", progress);
  assert.deepEqual(
    client.sent.sort(),
    ["part 1", "part 2"],
    "other content is sent from its start",
  );
  const current = readFileSync(file);

  const target = path.join(here, "down", "big");
  client.failing = (method) => {
    if (method !== "GET") return null;
    const isFirst = client.sent.push("cut") === 3;
    return isFirst ? new Response(current.subarray(0, 1_000)) : new Response("");
  };
  await assert.rejects(download(client, "big", target, progress), /run the command again/);
  assert.equal(
    readdirSync(path.dirname(target)).length,
    1,
    "only what has arrived, not the target",
  );
  client.failing = () => null;
  client.sent.length = 0;
  await download(client, "big", target, progress);
  assert.deepEqual(client.sent, ["bytes=1000-"]);
  assert.ok(readFileSync(target).equals(current));
  assert.deepEqual(readdirSync(path.dirname(target)), ["big"]);
});
