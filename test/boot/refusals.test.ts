// Tests of failed starts of `freehold up`: one clear sentence, exit code 1, and no other output.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import pg from "pg";
import { freePort, freePortPair } from "../fixtures/free-port.ts";
import { certificateFolder, makeCertificate } from "../fixtures/service/certificate.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { emptyDatabase, freshDatabase, missing } from "../postgres/database.ts";

const skipWithoutMounts = process.getuid?.() !== 0 && "only root can mount a small disk";
const quiet = ["--drivers", "simulated"];

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-boot-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the service in an invalid environment; returns its error sentence. */
async function refusal(dataFolder: string, flags = quiet, port?: number): Promise<string> {
  const service = new Service({ dataFolder, port: port ?? (await freePort()), flags });
  assert.deepEqual(await service.ended, { code: 1, signal: null });
  assert.equal(service.stdout, "");
  assert.match(service.stderr, /^freehold: [^\n]+\n$/);
  return service.stderr;
}

test("a certificate that has expired, before anything is created", async (t) => {
  const dataFolder = path.join(folderFor(t), "data");
  const { setting } = certificateFolder(t, makeCertificate({ days: -1 }));
  const sentence = await refusal(dataFolder, [...quiet, "--tls", setting]);
  assert.match(sentence, /FREEHOLD_TLS: .*cert\.pem expired at .*; renew it/);
  assert.ok(!existsSync(dataFolder));
});

test("a second process on the same data", async (t) => {
  const dataFolder = folderFor(t);
  const first = new Service({ dataFolder, port: await freePort(), flags: quiet });
  t.after(() => first.end());
  assert.ok(await first.ready());
  assert.match(await refusal(dataFolder), /is in use by another Freehold process/);
  assert.ok(await first.ready(), "the first one was disturbed");
});

test("an error in the file of simulated images", async (t) => {
  const dataFolder = folderFor(t);
  const file = path.join(dataFolder, "freehold.simulate.json");
  writeFileSync(file, '{\n"images": [\n{ "image": "a", "pull": "gone" }]}');
  assert.match(
    await refusal(dataFolder),
    /freehold\.simulate\.json: line 3: images\[0\]\.pull takes one of ok, missing, private, too_large$/m,
  );
  writeFileSync(file, '{ "images": [\n{ "image": "a", "handler": "gone.py" }]}');
  assert.match(
    await refusal(dataFolder),
    /line 2: images\[0\]\.handler cannot be used: there is no file \S+gone\.py$/m,
  );
  writeFileSync(file, '{ "images": [{ "image": "a",\n"cassette": "freehold.simulate.json" }]}');
  assert.match(
    await refusal(dataFolder),
    /line 2: images\[0\]\.cassette cannot be used: .* is no cassette/,
  );
});

test("a port in use is named, with another one that is free", async (t) => {
  const port = await freePort();
  const holder = createServer().listen(port, "127.0.0.1");
  t.after(() => holder.close());
  const said = await refusal(folderFor(t), quiet, port);
  assert.match(said, new RegExp(`port ${port} on 127\\.0\\.0\\.1 is taken`));
  assert.match(said, /another: --listen 127\.0\.0\.1:\d+$/m);
});

for (const listener of ["proxy", "s3", "ssh"]) {
  test(`a port in use that is configured for ${listener}`, async (t) => {
    const port = await freePort();
    const holder = createServer().listen(port, "127.0.0.1");
    t.after(() => holder.close());
    const dataFolder = folderFor(t);
    const flag = `--${listener}-listen`;
    const said = await refusal(dataFolder, [...quiet, flag, `127.0.0.1:${port}`]);
    assert.match(said, new RegExp(`port ${port} on 127\\.0\\.0\\.1 is taken; .*${flag} 127`));
    assert.match(said, new RegExp(`or none: ${flag} off$`, "m"));
    const fixed = [...quiet, flag, "off"];
    const service = new Service({ dataFolder, port: await freePort(), flags: fixed });
    t.after(() => service.end());
    assert.ok(await service.ready(), service.stderr);
  });
}

test("a virtual clock where others reach the service", async (t) => {
  const dataFolder = path.join(folderFor(t), "data");
  const flags = [...quiet, "--clock", "virtual", "--public-url", "https://cloud.example.org"];
  assert.match(await refusal(dataFolder, flags), /only tests on this machine .* listen on 127/);
  assert.ok(!existsSync(dataFolder));
});

test("a temporary service in a folder with data, which stay", async (t) => {
  const dataFolder = folderFor(t);
  writeFileSync(path.join(dataFolder, "thesis.txt"), "mine");
  const flags = [...quiet, "--temporary", "on"];
  assert.match(await refusal(dataFolder, flags), /is not empty, .* name a new one with --data/);
  assert.deepEqual(readdirSync(dataFolder), ["thesis.txt"]);
  const database = [...flags, "--database-url", "postgres://a@127.0.0.1/b"];
  assert.match(await refusal(dataFolder, database), /remove FREEHOLD_DATABASE_URL/);
});

test("a port of another Freehold, whose other listeners have the ports after it", async (t) => {
  const port = await freePortPair();
  const first = new Service({ dataFolder: folderFor(t), port, flags: quiet });
  t.after(() => first.end());
  assert.ok(await first.ready());
  const dataFolder = folderFor(t);
  const said = await refusal(dataFolder, quiet, port);
  const [, other] = /--listen 127\.0\.0\.1:(\d+)$/m.exec(said) ?? [];
  assert.ok(Number(other) > port + 4 || Number(other) < port, said);
});

test("a data folder that is a file", async (t) => {
  const file = path.join(folderFor(t), "file");
  writeFileSync(file, "");
  assert.match(await refusal(file), /the data folder .*file cannot be used: /);
});

test("a data folder that cannot be created", async () => {
  assert.match(
    await refusal("/dev/null/freehold"),
    /the data folder \/dev\/null\/freehold cannot be used: /,
  );
});

test("a data folder in a place that holds no folders", {
  skip: process.platform !== "linux" && "only Linux has /proc",
}, async () => {
  const data = "/proc/freehold/data";
  assert.match(
    await refusal(data),
    /the data folder \/proc\/freehold\/data cannot be used: ENOENT/,
  );
});

test("only the owner can read the data, and a folder that others can read is a warning", async (t) => {
  const dataFolder = folderFor(t);
  chmodSync(dataFolder, 0o755);
  writeFileSync(path.join(dataFolder, "freehold.db"), "", { mode: 0o644 });
  const service = new Service({ dataFolder, port: await freePort(), flags: quiet });
  t.after(() => service.end());
  assert.ok(await service.ready(), service.stderr);
  for (const name of readdirSync(dataFolder)) {
    const { mode } = statSync(path.join(dataFolder, name));
    assert.equal((mode & 0o777).toString(8), mode & 0o40000 ? "700" : "600", name);
  }
  assert.match(service.stderr, /other users can read the data folder; run chmod 700 /);
});

test("a schema newer than this version", async (t) => {
  const dataFolder = folderFor(t);
  const db = new DatabaseSync(path.join(dataFolder, "freehold.db"));
  db.exec("pragma user_version = 9999");
  db.close();
  assert.match(
    await refusal(dataFolder),
    /newer Freehold: its schema is 9999 and this version knows \d+/,
  );
});

test("a file that is not a database", async (t) => {
  const dataFolder = folderFor(t);
  writeFileSync(
    path.join(dataFolder, "freehold.db"),
    "this is no database, and long enough to tell\n",
  );
  assert.match(await refusal(dataFolder), /freehold\.db cannot be opened: file is not a database/);
});

test("an empty or unreadable secret", async (t) => {
  const dataFolder = folderFor(t);
  writeFileSync(path.join(dataFolder, "secret.key"), "");
  assert.match(await refusal(dataFolder), /secret\.key is empty/);
  rmSync(path.join(dataFolder, "secret.key"));
  mkdirSync(path.join(dataFolder, "secret.key"));
  assert.match(await refusal(dataFolder), /secret\.key cannot be read/);
});

test("a secret key other than the store's", async (t) => {
  const dataFolder = folderFor(t);
  const first = new Service({ dataFolder, port: await freePort(), flags: quiet });
  await first.ready();
  first.signal("SIGTERM");
  await first.ended;
  rmSync(path.join(dataFolder, "secret.key"));
  assert.match(await refusal(dataFolder), /this store was created with another secret key/);
});

test("all configuration errors at once", async (t) => {
  const flags = ["--drivers", "rocket", "--log-level", "loud", "--api-key", "short"];
  const service = new Service({ dataFolder: folderFor(t), port: await freePort(), flags });
  assert.deepEqual(await service.ended, { code: 1, signal: null });
  const lines = service.stderr.trimEnd().split("\n");
  assert.equal(lines.length, 3);
  for (const line of lines) assert.match(line, /^freehold: FREEHOLD_\w+ /);
});

test("an invalid port is refused by the name of its setting", async (t) => {
  const service = new Service({ dataFolder: folderFor(t), port: 70_000, flags: quiet });
  assert.deepEqual(await service.ended, { code: 1, signal: null });
  assert.match(service.stderr, /^freehold: FREEHOLD_LISTEN is "127\.0\.0\.1:70000"[^\n]+\n$/);
});

test("an unusable database, without printing its password", {
  skip: missing,
}, async (t) => {
  const url = new URL(await emptyDatabase(t));
  const said = async (change: Partial<URL>) => {
    const changed = Object.assign(new URL(url), change);
    const sentence = await refusal(folderFor(t), [...quiet, "--database-url", changed.href]);
    assert.ok(!sentence.includes("s-own") && !sentence.includes("%20own"), sentence);
    return sentence;
  };
  assert.match(await said({ port: String(await freePort()) }), /cannot be used: ECONNREFUSED/);
  assert.match(await said({ password: "secrets-own" }), /refuses: password authentication failed/);
  assert.match(
    await said({ password: "" }),
    /wants a password, and FREEHOLD_DATABASE_URL has none/,
  );
  assert.match(await said({ pathname: "/nowhere" }), /has no database "nowhere"/);
  assert.match(await said({ protocol: "mysql:" }), /DATABASE_URL takes postgres:\/\/user/);
});

test("a database written by a newer version", { skip: missing }, async (t) => {
  const url = await freshDatabase(t);
  const client = new pg.Client(url);
  await client.connect();
  await client.query("update schema_version set version = 9999 where version = 1");
  await client.end();
  const said = await refusal(folderFor(t), [...quiet, "--database-url", url]);
  assert.match(said, /newer Freehold: its schema is 9999 and this version knows \d+/);
});

test("a replica with another secret key", { skip: missing }, async (t) => {
  const flags = [...quiet, "--database-url", await freshDatabase(t)];
  const first = new Service({ dataFolder: folderFor(t), port: await freePort(), flags });
  t.after(() => first.end());
  assert.ok(await first.ready());
  assert.match(
    await refusal(folderFor(t), flags),
    /set the same FREEHOLD_SECRET_KEY for all of them/,
  );
});

test("a disk without room for the data folder is named", { skip: skipWithoutMounts }, async (t) => {
  const dataFolder = folderFor(t);
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", dataFolder]);
  const filler = path.join(dataFolder, "filler");
  try {
    spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=4k"]);
    const sentence = /the disk of the data folder \S+ is full; free some space/;
    assert.match(await refusal(dataFolder), sentence);
    // Room for the lock and the keys, and none for the database.
    truncateSync(filler, 48 * 1_024);
    assert.match(await refusal(dataFolder), sentence);
  } finally {
    spawnSync("umount", [dataFolder]);
  }
});
