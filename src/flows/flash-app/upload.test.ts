// Uploads of Flash builds that an account begins at once, far from its storage limit, on a real store.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Fixture } from "../../../test/conformance/store/fixture.ts";
import { VirtualClock } from "../../base/clock.ts";
import { randomIds } from "../../base/ids.ts";
import { Fault } from "../../domain/fault.ts";
import { MAX_ARCHIVE_BYTES } from "../../domain/flash/build.ts";
import { storedBytes } from "../../store/account/stored.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import { beginUpload, finalizeUpload } from "../../transactions/flash-app/build.ts";
import { createApp } from "../../transactions/flash-app/create.ts";
import { AuditedStore, runAudited } from "../audit/action.ts";
import { StorageQuota } from "../storage-quota.ts";
import { FlashArchives } from "./archives.ts";
import { prepareFlashUpload, receiveFlashUpload } from "./upload.ts";

const LIMIT = 50e9;

test("uploads that begin at once do not pass the limit together", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-upload-"));
  const fixture = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await fixture.store.close();
    rmSync(folder, { recursive: true });
  });
  const clock = new VirtualClock();
  const storageQuota = new StorageQuota({ store: fixture.store, clock }, LIMIT);
  const store = new AuditedStore(fixture.store, clock, storageQuota);
  const flashArchives = { signatureOf: () => "s" } as unknown as FlashArchives;
  const deps = { store, clock, ids: randomIds, flashArchives, storageQuota };
  await store.write(createApp, { id: "app", accountId: "account", name: "a", createdAt: 1 });
  const action = {
    accountId: "account",
    actor: { kind: "key" as const, keyId: "k" },
    via: "graphql" as const,
    operation: "prepare",
    resourceType: "flashBuild",
    resourceId: "",
    address: "",
  };
  const uploads = Array.from({ length: 40 }, () =>
    runAudited(action, () =>
      prepareFlashUpload(deps, "account", { appId: "app", size: MAX_ARCHIVE_BYTES }),
    ),
  );
  const refused = (await Promise.allSettled(uploads)).filter((each) => {
    if (each.status === "fulfilled") return false;
    assert.ok(each.reason instanceof Fault && each.reason.code === "storage_full");
    return true;
  });
  const room = Math.floor(LIMIT / MAX_ARCHIVE_BYTES);
  assert.equal(refused.length, 40 - room);
  assert.ok((await store.read(storedBytes, "account")) <= LIMIT);
});

test("a build that is finalized while another body arrives keeps its archive", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-upload-"));
  const { store } = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const clock = new VirtualClock();
  const flashArchives = new FlashArchives(path.join(folder, "archives"), "key");
  await store.write(createApp, { id: "app", accountId: "account", name: "a", createdAt: 1 });
  const expiresAt = clock.now() + 60_000;
  const build = { id: "build", appId: "app", size: 2, manifest: null, createdAt: 1, expiresAt };
  assert.ok(!((await store.write(beginUpload, "account", build, null)) instanceof Fault));
  const permit = { buildId: "build", size: 2, expiresAt };
  const signed = { ...permit, signature: flashArchives.signatureOf("upload", permit) };
  const upload = (text: string, meanwhile: () => Promise<unknown>) => {
    const body = (async function* () {
      yield Buffer.from(text[0]!);
      await meanwhile();
      yield Buffer.from(text[1]!);
    })();
    const deps = { store, clock, flashArchives };
    return receiveFlashUpload(deps, signed, Object.assign(body, { declared: null }));
  };
  await upload("ab", async () => {});
  const finalize = () =>
    store.write(finalizeUpload, "account", { id: "build", appId: "app" }, "{}");
  await assert.rejects(upload("xy", finalize), /finalized already/);
  const archive = await flashArchives.find("build");
  assert.equal(readFileSync(archive!.path, "utf8"), "ab");
});
