// Unmodified clients: rclone, s3cmd, restic, the command line of AWS, boto3, s3fs, minio-py and s5cmd.

import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { pythonWithAws, pythonWithMinio, pythonWithS3fs } from "../sdk/python-environment.ts";
import { type S3Service, startS3 } from "./fixture.ts";
import { s5cmd } from "./s5cmd.ts";

const run = promisify(execFile);

/** False if it is not installed, and the test is skipped. */
function hasProgram(t: TestContext, name: string, version = ["--version"]): boolean {
  if (spawnSync(name, version).status === 0) return true;
  // In CI a missing client must fail: a skipped test would go unnoticed.
  if (process.env.CI) throw new Error(`${name} is not installed`);
  t.skip(`it needs ${name}`);
  return false;
}

function tree(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-s3-"));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(path.join(folder, "x", "y"), { recursive: true });
  writeFileSync(path.join(folder, "big"), Buffer.alloc(12_000_000, "big"));
  writeFileSync(path.join(folder, "x", "ü # %2F + '.txt"), "odd");
  writeFileSync(path.join(folder, "x", "y", "b"), "b");
  writeFileSync(path.join(folder, "zero"), "");
  return folder;
}

test("rclone syncs, checks, copies back and purges", async (t) => {
  if (!hasProgram(t, "rclone")) return;
  const { s3Url, s3Key, bucket, folder } = await startS3(t);
  const source = tree(t);
  const env = {
    PATH: process.env.PATH,
    HOME: source,
    RCLONE_CONFIG: "/dev/null",
    RCLONE_CONFIG_V_TYPE: "s3",
    RCLONE_CONFIG_V_PROVIDER: "Other",
    RCLONE_CONFIG_V_ENDPOINT: s3Url,
    RCLONE_CONFIG_V_ACCESS_KEY_ID: s3Key.id,
    RCLONE_CONFIG_V_SECRET_ACCESS_KEY: s3Key.secret,
    RCLONE_CONFIG_V_UPLOAD_CUTOFF: "5M",
    RCLONE_CONFIG_V_CHUNK_SIZE: "5M",
  };
  const rclone = (...args: string[]) => run("rclone", ["--stats=0", "-v", ...args], { env });
  const remote = `v:${bucket}/r`;
  await rclone("sync", source, remote);
  for (const file of ["big", "x/ü # %2F + '.txt", "x/y/b", "zero"]) {
    assert.ok(
      readFileSync(path.join(folder, "r", file)).equals(readFileSync(path.join(source, file))),
    );
  }
  await rclone("check", source, remote);
  const again = await rclone("sync", source, remote);
  assert.doesNotMatch(again.stderr, /Copied/, "the second sync moves nothing");
  const back = path.join(source, "..", `${path.basename(source)}-back`);
  t.after(() => rmSync(back, { recursive: true, force: true }));
  await rclone("copy", remote, back);
  await run("diff", ["-r", source, back]);
  await rclone("purge", remote);
  assert.equal((await rclone("lsf", `v:${bucket}`)).stdout, "");
});

const awsEnvironment = ({ s3Url, s3Key }: S3Service, home: string) => ({
  PATH: process.env.PATH,
  HOME: home,
  AWS_REGION: "EU-RO-1",
  AWS_MAX_ATTEMPTS: "1",
  AWS_ACCESS_KEY_ID: s3Key.id,
  AWS_SECRET_ACCESS_KEY: s3Key.secret,
  AWS_ENDPOINT_URL: s3Url,
  AWS_EC2_METADATA_DISABLED: "true",
});

test("the command line of AWS copies, syncs and removes", async (t) => {
  const python = pythonWithAws(t);
  if (!python) return;
  const service = await startS3(t);
  const source = tree(t);
  const program = path.join(path.dirname(python), "aws");
  const env = awsEnvironment(service, source);
  const aws = async (...args: string[]) => (await run(program, ["s3", ...args], { env })).stdout;
  const remote = `s3://${service.bucket}`;
  const sync = () => aws("sync", "--no-progress", source, `${remote}/t`);
  assert.match(await sync(), /upload/);
  await run("diff", ["-r", source, path.join(service.folder, "t")]);
  assert.equal(await sync(), "", "the second sync moves nothing");
  await aws("cp", `${remote}/t/big`, `${remote}/copy`);
  await aws("cp", `${remote}/copy`, path.join(source, "back"));
  await run("cmp", [path.join(source, "big"), path.join(source, "back")]);
  await aws("rm", "--recursive", `${remote}/t`);
  assert.match(await aws("ls", "--recursive", `${remote}/`), /^\S+ \S+ +12000000 copy\n$/);
});

test("boto3 sends and verifies every checksum, pages, and deletes in batches", async (t) => {
  const python = pythonWithAws(t);
  if (!python) return;
  const service = await startS3(t);
  const script = path.join(import.meta.dirname, "boto3_calls.py");
  const env = awsEnvironment(service, service.dataFolder);
  const { stdout } = await run(python, [script, service.bucket], { env });
  assert.equal(stdout, "ok\n");
});

test("s3fs lists, reads ranges, writes parts, copies and removes", async (t) => {
  const python = pythonWithS3fs(t);
  if (!python) return;
  const service = await startS3(t);
  const script = path.join(import.meta.dirname, "s3fs_calls.py");
  const env = awsEnvironment(service, service.dataFolder);
  const { stdout } = await run(python, [script, service.bucket], { env });
  assert.equal(stdout, "ok\n");
});

test("minio-py finds the region, writes parts, copies, lists and removes", async (t) => {
  const python = pythonWithMinio(t);
  if (!python) return;
  const { s3Url, s3Key, bucket, dataFolder } = await startS3(t);
  const script = path.join(import.meta.dirname, "minio_calls.py");
  const { host } = new URL(s3Url);
  const args = [script, host, s3Key.id, s3Key.secret, bucket];
  const { stdout } = await run(python, args, { env: { HOME: dataFolder } });
  assert.equal(stdout, "ok\n");
});

test("s3cmd without a region puts, syncs, shows, copies and removes", async (t) => {
  if (!hasProgram(t, "s3cmd")) return;
  const { s3Url, s3Key, bucket, folder } = await startS3(t);
  const source = tree(t);
  const { host } = new URL(s3Url);
  const config = path.join(source, "..", `${path.basename(source)}.cfg`);
  const lines = ["[default]", `access_key = ${s3Key.id}`, `secret_key = ${s3Key.secret}`];
  const address = [`host_base = ${host}`, `host_bucket = ${host}`, "use_https = False"];
  writeFileSync(config, [...lines, ...address, "multipart_chunk_size_mb = 5", ""].join("\n"));
  t.after(() => rmSync(config));
  const s3cmd = async (...args: string[]) =>
    (await run("s3cmd", ["-c", config, "--no-progress", ...args])).stdout;
  const remote = `s3://${bucket}`;
  await s3cmd("sync", `${source}/`, `${remote}/t/`);
  await run("diff", ["-r", source, path.join(folder, "t")]);
  assert.doesNotMatch(await s3cmd("sync", `${source}/`, `${remote}/t/`), /upload/);
  assert.match(await s3cmd("info", remote), /Location: +EU-RO-1/);
  assert.match(await s3cmd("info", `${remote}/t/big`), /ACL: .*: FULL_CONTROL/);
  await s3cmd("cp", `${remote}/t/big`, `${remote}/copy`);
  await s3cmd("get", `${remote}/copy`, path.join(source, "back"));
  await run("cmp", [path.join(source, "big"), path.join(source, "back")]);
  await s3cmd("del", "--recursive", "--force", remote);
  assert.equal(await s3cmd("ls", remote), "");
});

test("restic makes a repository, backs up, checks, restores and forgets", async (t) => {
  if (!hasProgram(t, "restic", ["version"])) return;
  const { s3Url, s3Key, bucket } = await startS3(t);
  const source = tree(t);
  const target = `${source}-restored`;
  t.after(() => rmSync(target, { recursive: true, force: true }));
  const env = {
    PATH: process.env.PATH,
    HOME: target,
    RESTIC_PASSWORD: "x",
    AWS_ACCESS_KEY_ID: s3Key.id,
    AWS_SECRET_ACCESS_KEY: s3Key.secret,
    RESTIC_REPOSITORY: `s3:${s3Url}/${bucket}/backup`,
  };
  const restic = (...args: string[]) => run("restic", ["--no-cache", ...args], { env });
  await restic("init");
  await restic("backup", source);
  await restic("check", "--read-data");
  await restic("restore", "latest", "--target", target);
  await run("diff", ["-r", source, path.join(target, source)]);
  const { stdout } = await restic("forget", "--keep-last", "1", "--prune", "--json");
  assert.match(stdout, /"keep"/);
});

test("s5cmd copies in parts, syncs, lists and removes", async (t) => {
  const program = s5cmd(t);
  if (!program) return;
  const service = await startS3(t);
  const source = tree(t);
  const env = { ...awsEnvironment(service, source), S3_ENDPOINT_URL: service.s3Url };
  const call = async (...args: string[]) => (await run(program, args, { env })).stdout;
  const remote = `s3://${service.bucket}`;
  await call("cp", "--part-size", "5", `${source}/`, `${remote}/t/`);
  await run("diff", ["-r", source, path.join(service.folder, "t")]);
  assert.equal(await call("sync", `${source}/`, `${remote}/t/`), "", "nothing is copied again");
  await call("cp", `${remote}/t/*`, `${source}-back/`);
  t.after(() => rmSync(`${source}-back`, { recursive: true, force: true }));
  await run("diff", ["-r", source, `${source}-back`]);
  await call("mv", `${remote}/t/big`, `${remote}/moved`);
  assert.match(await call("ls", `${remote}/*`), /12000000 +moved\n/);
  assert.match(await call("du", `${remote}/t/*`), /^4 bytes in 3 objects/);
  await call("rm", `${remote}/*`);
  await assert.rejects(call("ls", `${remote}/*`), /no object found/);
});
