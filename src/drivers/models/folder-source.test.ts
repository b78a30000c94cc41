// Models from a folder of the machine.

import assert from "node:assert/strict";
import { lstat, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import test from "node:test";
import {
  cacheOf,
  instantly,
  provide,
  readsAll,
  refused,
  small,
  temporary,
} from "../../../test/fixtures/model-cache.ts";
import { startModelHub } from "../../../test/fixtures/model-hub.ts";
import type { StartRefused } from "../driver.ts";
import { folderSource } from "./folder-source.ts";
import { hubSource } from "./hub.ts";

test("a folder of models needs no hub", async (t) => {
  const folder = await temporary(t);
  const plain = path.join(folder, "o", "n");
  await mkdir(path.join(plain, "sub"), { recursive: true });
  await mkdir(path.join(plain, ".git"));
  await writeFile(path.join(plain, ".git", "HEAD"), "x");
  for (const [name, content] of Object.entries(small.files)) {
    await writeFile(path.join(plain, name), content);
  }
  const { cache } = await cacheOf(t, folderSource(folder));
  const found = await provide(cache, "o/n");
  await readsAll(found);
  await assert.rejects(lstat(path.join(found.own, "snapshots", found.model.commit, ".git")));
  await assert.rejects(provide(cache, "o/x"), refused("model_not_found", /no o\/x/));
  await assert.rejects(provide(cache, "o/n:v1"), refused("model_not_found", /revision "v1"/));
});

test("a Hugging Face cache is a folder of models too", async (t) => {
  const hub = await startModelHub(t, { "o/n": small });
  const { cache, root } = await cacheOf(t, hubSource(hub.origin, instantly()));
  const { model } = await provide(cache, "o/n");
  const refs = path.join(root, "hub", "models--o--n", "refs");
  await mkdir(refs);
  await writeFile(path.join(refs, "main"), `${model.commit}\n`);
  for (const folder of [root, path.join(root, "hub")]) {
    const { cache: offline } = await cacheOf(t, folderSource(folder));
    const found = await provide(offline, "o/n");
    assert.equal(found.model.commit, model.commit);
    await readsAll(found);
  }
});

test("a Hugging Face cache with a part of a model is refused with what it lacks", async (t) => {
  const hub = await startModelHub(t, { "o/n": small });
  const { cache, root } = await cacheOf(t, hubSource(hub.origin, instantly()));
  const { model } = await provide(cache, "o/n");
  const repository = path.join(root, "hub", "models--o--n");
  await mkdir(path.join(repository, "trees"));
  const list = async (files: Record<string, Buffer | string>, version = 1) => {
    const sizes = Object.entries(files).map(([name, content]) => [name, { size: content.length }]);
    const text = JSON.stringify({ format_version: version, files: Object.fromEntries(sizes) });
    await writeFile(path.join(repository, "trees", `${model.commit}.json`), text);
  };
  const { cache: offline } = await cacheOf(t, folderSource(root));
  const find = () => provide(offline, `o/n:${model.commit}`);
  await list({ ...small.files, "shard-2.bin": "x", "config.json": "longer than it is" });
  await assert.rejects(find(), (error: StartRefused) => {
    assert.match(
      error.message,
      /it lacks (shard-2\.bin, config\.json|config\.json, shard-2\.bin)$/,
    );
    return refused("model_not_found", /only a part of models--o--n/)(error);
  });
  await list({ "elsewhere.bin": "x" }, 2);
  await readsAll(await find());
});

test("a link in a folder of models is copied with its content", async (t) => {
  const folder = await temporary(t);
  await mkdir(path.join(folder, "o", "n"), { recursive: true });
  await writeFile(path.join(folder, "real"), "content");
  await symlink(path.join(folder, "real"), path.join(folder, "o", "n", "linked"));
  const { cache } = await cacheOf(t, folderSource(folder));
  await readsAll(await provide(cache, "o/n"), { files: { linked: "content" } });
});
