// The cache against a stand-in of the hub.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import test, { type TestContext } from "node:test";
import { addCleanup } from "../../../test/fixtures/cleanup.ts";
import {
  cacheOf,
  instantly,
  noOne,
  provide,
  readsAll,
  refused,
  small,
  temporary,
  weights,
} from "../../../test/fixtures/model-cache.ts";
import { commitOf, type HubModel, startModelHub } from "../../../test/fixtures/model-hub.ts";
import { until } from "../../../test/fixtures/until.ts";
import { hubSource } from "./hub.ts";

const skipWithoutMounts = process.getuid?.() !== 0 && "only root can mount a small disk";

test("a model has the layout of a Hugging Face cache and is downloaded once", async (t) => {
  const hub = await startModelHub(t, { "o/n": small });
  const { cache } = await cacheOf(t, hubSource(hub.origin, instantly()));
  const progress: number[] = [];
  const first = await provide(cache, "o/n", { report: (bytes) => progress.push(bytes) });
  await readsAll(first);
  const { own, model } = first;
  assert.equal(await readFile(path.join(own, "refs", "main"), "utf8"), model.commit);
  assert.equal(model.commit, commitOf("o/n"));
  const link = await lstat(path.join(own, "snapshots", model.commit, "model.safetensors"));
  assert.ok(link.isSymbolicLink());
  assert.equal(progress.at(-1), weights.length + 7 + 4);
  assert.ok(progress.every((each, n) => n === 0 || each >= progress[n - 1]!));
  const gets = () => hub.requests.filter(({ host }) => host === "content").length;
  const before = gets();
  await readsAll(await provide(cache, "o/n"));
  assert.equal(gets(), before);
  assert.deepEqual(cache.list(), [
    { model: "o/n", commit: model.commit, bytes: 3_000_011, downloadedBytes: 3_000_011 },
  ]);
});

test("the token goes to the hub and not to where it redirects", async (t) => {
  const hub = await startModelHub(t, { "o/n": { ...small, privateTo: "hf_own" } });
  const { cache } = await cacheOf(t, hubSource(hub.origin, instantly()));
  await readsAll(await provide(cache, "o/n", { token: "hf_own" }));
  const of = (host: string) => hub.requests.filter((each) => each.host === host);
  assert.ok(of("hub").every(({ authorization }) => authorization === "Bearer hf_own"));
  assert.ok(of("content").length > 0);
  assert.ok(of("content").every(({ authorization }) => authorization === undefined));
});

test("a mirror without sizes in its lists is asked for each file", async (t) => {
  const hub = await startModelHub(t, { "o/n": { ...small, plainList: true } });
  const { cache } = await cacheOf(t, hubSource(hub.origin, instantly()));
  await readsAll(await provide(cache, "o/n"));
  assert.equal(hub.requests.filter(({ method }) => method === "HEAD").length, 4);
});

const refusals: [name: string, model: HubModel, text: string, token: string | null, why: string][] =
  [
    ["no such model", small, "o/other", "hf_x", "model_not_found"],
    ["no such revision", small, "o/n:v9", null, "model_not_found"],
    ["private, no token", { ...small, privateTo: "hf_own" }, "o/n", null, "model_unauthorised"],
    ["gated, no token", { ...small, gatedTo: "hf_own" }, "o/n", null, "model_unauthorised"],
    ["gated, no access", { ...small, gatedTo: "hf_own" }, "o/n", "hf_x", "model_unauthorised"],
  ];

for (const [name, model, text, token, why] of refusals) {
  test(`refused: ${name}`, async (t) => {
    const hub = await startModelHub(t, { "o/n": model });
    const { cache } = await cacheOf(t, hubSource(hub.origin, instantly()));
    await assert.rejects(provide(cache, text, { token }), refused(why, /o\/(n|other)/));
  });
}

test("a private model that is here does not open for another token", async (t) => {
  const hub = await startModelHub(t, { "o/n": { ...small, privateTo: "hf_own" } });
  const { cache } = await cacheOf(t, hubSource(hub.origin, instantly()));
  await provide(cache, "o/n", { token: "hf_own" });
  await assert.rejects(provide(cache, "o/n"), refused("model_unauthorised", /without a token/));
  await hub.stop();
  await assert.rejects(provide(cache, "o/n", { token: "hf_own" }), refused("model_away", /fails/));
});

test("a public model that is here needs no connection", async (t) => {
  const hub = await startModelHub(t, { "o/n": small });
  const { cache } = await cacheOf(t, hubSource(hub.origin, instantly()));
  await provide(cache, "o/n");
  await hub.stop();
  await readsAll(await provide(cache, "o/n"));
  await assert.rejects(
    provide(cache, "o/n:dev"),
    refused("model_away", /source of models fails: ECONN/),
  );
});

test("two workers share a download, and the last one to leave ends it", async (t) => {
  const hub = await startModelHub(t, { "o/n": small });
  hub.fault = (_, response, body) => {
    if (body.length < 1_000) return false;
    response.writeHead(200, { "content-length": body.length });
    response.write(body.subarray(0, 500_000));
    return true;
  };
  const { cache, root } = await cacheOf(t, hubSource(hub.origin, instantly()));
  const [one, two] = [new AbortController(), new AbortController()];
  const [first, second] = [one, two].map(({ signal }) => provide(cache, "o/n", { signal }));
  const [a, b] = [assert.rejects(first!, /left/), assert.rejects(second!, /left/)];
  await until(() => (cache.list()[0]?.downloadedBytes ?? 0) >= 500_000);
  one.abort(new Error("left"));
  await a;
  assert.equal(cache.list().length, 1);
  two.abort(new Error("left"));
  await b;
  await until(() => cache.list().length === 0);
  assert.equal(hub.requests.filter(({ host }) => host === "content").length, 1);
  // The next one continues where it ended.
  hub.fault = null;
  await readsAll(await provide(cache, "o/n"));
  assert.equal(hub.requests.at(-1)!.range, "bytes=500000-");
  assert.deepEqual((await readdir(root)).toSorted(), ["hub", "records", "views"]);
});

test("what a killed service left is continued", async (t) => {
  const hub = await startModelHub(t, { "o/n": small });
  hub.fault = (_, response, body) => {
    if (body.length < 1_000) return false;
    response.writeHead(200, { "content-length": body.length });
    response.write(body.subarray(0, 700_000));
    return true;
  };
  const source = hubSource(hub.origin, instantly());
  const { cache, root } = await cacheOf(t, source);
  const begun = assert.rejects(provide(cache, "o/n"), /stops/);
  await until(() => (cache.list()[0]?.downloadedBytes ?? 0) >= 700_000);
  await cache.close();
  await begun;
  hub.fault = null;
  const { cache: next } = await cacheOf(t, source, { folder: root });
  assert.deepEqual(next.list(), []);
  await next.removeLeftovers(new Set([`o/n@${commitOf("o/n")}`]));
  await readsAll(await provide(next, "o/n"));
  assert.equal(hub.requests.at(-1)!.range, "bytes=700000-");
});

test("leftovers of models that no worker needs are removed", async (t) => {
  const hub = await startModelHub(t, { "o/n": small, "o/m": small });
  const { cache, root } = await cacheOf(t, hubSource(hub.origin, instantly()));
  await provide(cache, "o/m");
  const blobs = path.join(root, "hub", "models--o--n", "blobs");
  await mkdir(blobs, { recursive: true });
  await writeFile(path.join(blobs, `${"a".repeat(64)}.incomplete`), "half");
  await cache.removeLeftovers(new Set([`o/n@${commitOf("o/n")}`]));
  assert.equal((await readdir(blobs)).length, 1);
  await cache.removeLeftovers(noOne);
  assert.deepEqual(await readdir(path.join(root, "hub")), ["models--o--m"]);
  await readsAll(await provide(cache, "o/m"));
});

const damages: [name: string, fault: Parameters<typeof damaged>[1], reason: RegExp][] = [
  ["other bytes", (r, b) => void r.end(Buffer.alloc(b.length, 7)), /damaged/],
  ["fewer bytes than announced", (r, b) => void r.end(b.subarray(0, 10)), /ends early/],
  ["more bytes than announced", (r, b) => void r.end(Buffer.concat([b, b])), /longer/],
  ["an error", (r) => void r.writeHead(500).end("no"), /answers 500/],
];

async function damaged(
  t: TestContext,
  fault: (response: import("node:http").ServerResponse, body: Buffer) => void,
) {
  const hub = await startModelHub(t, { "o/n": small });
  hub.fault = (_, response, body) => {
    if (body.length < 1_000) return false;
    fault(response, body);
    return true;
  };
  return { hub, ...(await cacheOf(t, hubSource(hub.origin, instantly()))) };
}

for (const [name, fault, reason] of damages) {
  test(`what arrives damaged is not used: ${name}`, async (t) => {
    const { cache, hub, root } = await damaged(t, fault);
    await assert.rejects(provide(cache, "o/n"), refused("model_away", reason));
    assert.deepEqual(cache.list(), []);
    const repository = await readdir(path.join(root, "hub", "models--o--n"));
    assert.deepEqual(repository, ["blobs"]);
    hub.fault = null;
    await readsAll(await provide(cache, "o/n"));
  });
}

test("a connection that is cut again and again is continued as long as bytes arrive", async (t) => {
  const { cache, hub } = await damaged(t, () => {});
  hub.fault = (request, response, body) => {
    if (body.length < 1_000) return false;
    const from = Number(/\d+/.exec(request.headers.range ?? "")?.[0] ?? 0);
    response.writeHead(from > 0 ? 206 : 200, {
      "content-length": body.length - from,
      "content-range": `bytes ${from}-${body.length - 1}/${body.length}`,
    });
    response.write(body.subarray(from, from + 400_000), () => {
      setImmediate(() => response.destroy());
    });
    return true;
  };
  await readsAll(await provide(cache, "o/n"));
  assert.ok(hub.requests.filter(({ range }) => range !== undefined).length >= 4);
});

test("a hub that limits the rate is asked again when it says", async (t) => {
  const pauses: number[] = [];
  const clock = instantly();
  const { after } = clock;
  clock.after = (ms, callback) => {
    pauses.push(ms);
    return after.call(clock, ms, callback);
  };
  const hub = await startModelHub(t, { "o/n": small });
  const limits = [
    { "retry-after": "7" },
    { ratelimit: '"resolvers";r=0;t=55', "retry-after": "1" },
    { "retry-after": new Date(clock.now() + 9_000).toUTCString() },
  ];
  hub.fault = (_, response, body) => {
    if (body.length < 1_000) return false;
    const limit = limits.shift();
    if (!limit) return false;
    response.writeHead(429, limit).end();
    return true;
  };
  const { cache } = await cacheOf(t, hubSource(hub.origin, clock), { clock });
  await readsAll(await provide(cache, "o/n"));
  assert.deepEqual(pauses.slice(0, 2), [8_000, 56_000]);
  assert.ok(pauses[2]! > 8_000 && pauses[2]! <= 10_000, `${pauses[2]}`);
});

test("a source that ignores ranges sends the file again", async (t) => {
  const { cache, hub } = await damaged(t, () => {});
  let cut = true;
  hub.fault = (_, response, body) => {
    if (body.length < 1_000) return false;
    response.writeHead(200, { "content-length": body.length });
    if (!cut) response.end(body);
    else response.write(body.subarray(0, 400_000), () => setImmediate(() => response.destroy()));
    cut = false;
    return true;
  };
  await readsAll(await provide(cache, "o/n"));
});

test("names that leave the repository are refused", async (t) => {
  const evil = { files: { "../../../evil": "x" } };
  const hub = await startModelHub(t, { "o/n": evil });
  const { cache } = await cacheOf(t, hubSource(hub.origin, instantly()));
  await assert.rejects(provide(cache, "o/n"), /has a file with the name "..\/..\/..\/evil"/);
});

test("the least recently used models make room, and those in use stay", async (t) => {
  const model = () => ({ files: { w: randomBytes(2_000) } });
  const hub = await startModelHub(t, { "o/a": model(), "o/b": model(), "o/c": model() });
  const { cache, clock, root } = await cacheOf(t, hubSource(hub.origin, instantly()), {
    limitBytes: 5_000,
  });
  await provide(cache, "o/a");
  await clock.advance(1_000);
  await provide(cache, "o/b");
  await clock.advance(1_000);
  const inUse = async () => new Set([`o/a@${commitOf("o/a")}`]);
  await provide(cache, "o/c", { inUse });
  const names = () => cache.list().map((each) => each.model);
  assert.deepEqual(names(), ["o/a", "o/c"]);
  assert.deepEqual((await readdir(path.join(root, "hub"))).toSorted(), [
    "models--o--a",
    "models--o--c",
  ]);
  const all = async () => new Set(["a", "c"].map((each) => `o/${each}@${commitOf(`o/${each}`)}`));
  await assert.rejects(
    provide(cache, "o/b", { inUse: all }),
    refused("model_too_large", /o\/b of 2 kB does not fit/),
  );
  assert.deepEqual(names(), ["o/a", "o/c"]);
});

test("commits of one repository share content, and one leaves without the other", async (t) => {
  const [v1, v2] = [commitOf("o/n", "1"), commitOf("o/n", "2")];
  const hub = await startModelHub(t, { "o/n": { ...small, revisions: { main: v1, dev: v2 } } });
  const { cache, clock, root } = await cacheOf(t, hubSource(hub.origin, instantly()), {
    limitBytes: 7e6,
  });
  await provide(cache, "o/n");
  await clock.advance(1_000);
  const dev = await provide(cache, "o/n:dev");
  assert.equal(await readFile(path.join(dev.own, "refs", "dev"), "utf8"), v2);
  assert.equal(await readFile(path.join(dev.own, "refs", "main"), "utf8"), v2);
  assert.equal(hub.requests.filter(({ host }) => host === "content").length, 1);
  hub.models.set("o/big", { files: { w: randomBytes(3_000_000) } });
  await provide(cache, "o/big");
  assert.deepEqual(await readdir(path.join(root, "hub", "models--o--n", "snapshots")), [v2]);
  await readsAll(dev);
});

test("a full disk refuses the model and leaves nothing half", {
  skip: skipWithoutMounts,
}, async (t) => {
  const root = await temporary(t);
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", root]);
  addCleanup(t, () => void spawnSync("umount", [root]));
  const hub = await startModelHub(t, { "o/n": small, "o/tiny": { files: { a: "b" } } });
  const { cache } = await cacheOf(t, hubSource(hub.origin, instantly()), { folder: root });
  await assert.rejects(provide(cache, "o/n"), refused("disk_full", /disk .* is full/));
  assert.deepEqual(cache.list(), []);
  await readsAll(await provide(cache, "o/tiny"), { files: { a: "b" } });
});
