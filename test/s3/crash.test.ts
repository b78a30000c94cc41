// kill -9 in the middle of uploads: every object is the old one or the new one, and nothing is left over.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, utimesSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { freePort } from "../fixtures/free-port.ts";
import { Service } from "../fixtures/service/service-process.ts";
import { until } from "../fixtures/until.ts";
import { jsClient, startS3 } from "./fixture.ts";

test("a kill in the middle of an upload leaves the old object, and the rest is removed", async (t) => {
  const first = await startS3(t);
  const { bucket, s3Key, dataFolder, folder } = first;
  const before = await jsClient(t, first);
  if (!before) return;
  await before.send("PutObject", { Key: "model", Body: "old" });
  await first.stop();
  const start = async () => {
    const [port, s3Port] = [await freePort(), await freePort()];
    const flags = [
      "--drivers",
      "simulated",
      "--s3-listen",
      `127.0.0.1:${s3Port}`,
      "--proxy-listen",
      "off",
    ];
    const process = new Service({ dataFolder, port, flags });
    assert.ok(await process.ready(), process.stderr);
    return { process, s3Url: `http://127.0.0.1:${s3Port}`, s3Key, bucket };
  };
  const staging = path.join(folder, "..", "freehold-uploads");
  const service = await start();
  const js = (await jsClient(t, service))!;
  async function* endless() {
    for (;;) yield Buffer.alloc(65_536, "new");
  }
  const upload = js.failure("PutObject", {
    Key: "model",
    Body: (await import("node:stream")).Readable.from(endless()),
    ContentLength: 2 ** 30,
  });
  await until(async () => readdirSync(staging).length > 0 || null, "");
  await service.process.kill();
  assert.notEqual(await upload, null);
  assert.equal(readFileSync(path.join(folder, "model"), "utf8"), "old");
  // The sweep leaves files alone whose last change could be later than its start.
  for (const name of readdirSync(staging)) utimesSync(path.join(staging, name), 1, 1);

  const again = await start();
  t.after(() => again.process.kill());
  await until(async () => readdirSync(staging).length === 0 || null, "");
  const client = (await jsClient(t, again))!;
  const got = await client.send("GetObject", { Key: "model" });
  assert.equal(await got.Body.transformToString(), "old");
  await client.send("PutObject", { Key: "model", Body: "new" });
  assert.equal(readFileSync(path.join(folder, "model"), "utf8"), "new");
});
