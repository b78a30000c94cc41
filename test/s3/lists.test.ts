// Lists: they agree with the files, page by page.

import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { compareKeys } from "../../src/domain/s3/key-order.ts";
import { jsClient, type Reply, startS3 } from "./fixture.ts";

test("every page order, prefix and delimiter gives the same keys", async (t) => {
  const s3 = await startS3(t);
  const js = await jsClient(t, s3);
  if (!js) return;
  const { send } = js;
  await send("PutObject", { Key: "a", Body: "" });
  const all = ["a", "a-b", "a.txt", "b/1", "b/2/x", "b/2/y", "b/3/", "ü", "\uff01", "😀/z"];
  for (const key of all) {
    const file = path.join(s3.folder, key);
    mkdirSync(key.endsWith("/") ? file : path.dirname(file), { recursive: true });
    if (!key.endsWith("/")) writeFileSync(file, key);
  }
  all.sort(compareKeys);
  const pages = async (input: object, version = "V2") => {
    const found: string[] = [];
    let next: object = {};
    for (;;) {
      const page = await send(`ListObjects${version === "V2" ? "V2" : ""}`, { ...input, ...next });
      const keys = (page.Contents ?? []).map(({ Key }: Reply) => Key);
      const prefixes = (page.CommonPrefixes ?? []).map(({ Prefix }: Reply) => Prefix);
      found.push(...[...keys, ...prefixes].sort(compareKeys));
      if (!page.IsTruncated) return found;
      next =
        version === "V2"
          ? { ContinuationToken: page.NextContinuationToken }
          : { Marker: page.NextMarker ?? keys.at(-1) };
    }
  };
  const top = ["a", "a-b", "a.txt", "b/", "ü", "\uff01", "😀/"].sort(compareKeys);
  for (const version of ["V1", "V2"]) {
    for (const MaxKeys of [1, 2, 3, 1_000]) {
      assert.deepEqual(await pages({ MaxKeys }, version), all, `${version} ${MaxKeys}`);
      assert.deepEqual(await pages({ MaxKeys, Delimiter: "/" }, version), top, `${version} /`);
      assert.deepEqual(await pages({ MaxKeys, Delimiter: "/", Prefix: "b/" }, version), [
        "b/1",
        "b/2/",
        "b/3/",
      ]);
    }
  }
  assert.deepEqual(await pages({ Prefix: "b/2" }), ["b/2/x", "b/2/y"]);
  assert.deepEqual(await pages({ Prefix: "b/3/" }), ["b/3/"]);
  assert.deepEqual(await pages({ Prefix: "a", Delimiter: "-" }), ["a", "a-", "a.txt"]);
  assert.deepEqual(await pages({ StartAfter: "b/2/x", Prefix: "b" }), ["b/2/y", "b/3/"]);
  assert.deepEqual(await pages({ StartAfter: "b/2/x", Prefix: "b/", Delimiter: "/" }), [
    "b/2/",
    "b/3/",
  ]);
  assert.deepEqual(await pages({ Prefix: "none/" }), []);
  assert.deepEqual(await pages({ Prefix: "../" }), []);
});

test("10,000 files in one folder are listed once each while others come and go", async (t) => {
  const s3 = await startS3(t);
  const js = await jsClient(t, s3);
  if (!js) return;
  await js.send("PutObject", { Key: "many/0", Body: "" });
  const folder = path.join(s3.folder, "many");
  const names = Array.from({ length: 10_000 }, (_, n) => `k${String(n).padStart(5, "0")}`);
  for (const name of names) writeFileSync(path.join(folder, name), "");
  const listed: string[] = [];
  let ContinuationToken: string | undefined;
  for (let pageNumber = 0; ; pageNumber++) {
    const page = await js.send("ListObjectsV2", { Prefix: "many/k", ContinuationToken });
    listed.push(...page.Contents.map(({ Key }: Reply) => Key));
    ContinuationToken = page.NextContinuationToken;
    if (!ContinuationToken) break;
    writeFileSync(path.join(folder, `j${pageNumber}`), "");
    rmSync(path.join(folder, `j${pageNumber - 1}`), { force: true });
  }
  assert.deepEqual(
    listed,
    names.map((name) => `many/${name}`),
  );
});
