// Laws of texts: whatever a client or a worker writes is read as it was written.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { defaultTemplate } from "../../domain/template/defaults.ts";
import { appendChunk, readChunks } from "../job/chunk.ts";
import { findJob } from "../job/find.ts";
import { findTemplate, insertTemplate } from "../template/template.ts";
import { findWorker, markUnhealthy } from "../worker/worker.ts";
import { type OpenStore, Stage } from "./stage.ts";

const strange = fc.array(
  fc.oneof(
    fc.constantFrom("\0", "\u{10FFFF}", "\ufeff", "\uffff", "'", "\\", "\r\n", "?", "$1", "é"),
    fc.string({ unit: "grapheme" }),
  ),
  { minLength: 1 },
);

export function textLaws(open: OpenStore): void {
  test("any text comes back as it was", async (t) => {
    const stage = await Stage.set(open, t);
    const { store, now } = stage;
    await stage.worker("sick");
    let named = 0;
    await fc.assert(
      fc.asyncProperty(strange, async (parts) => {
        const text = parts.join("");
        const id = await stage.submit({ input: { inline: text }, extras: text, webhook: text });
        await stage.claim();
        await store.write(appendChunk, id, "e", "w", { output: text, metrics: text }, 1, now);
        await stage.finish(id, { error: text, output: text });
        const job = await stage.job(id);
        assert.deepEqual([job.error, job.output, job.webhook], [text, text, text]);
        const [chunk] = await store.read(readChunks, job, 0, 1);
        assert.deepEqual({ ...chunk }, { n: 0, output: text, metrics: text });
        await store.write(markUnhealthy, "sick", text);
        assert.equal((await store.read(findWorker, "sick"))?.unhealthy, text);
        const template = { id: `${named++}`, accountId: "account", createdAt: now };
        const spec = defaultTemplate("x");
        await store.write(insertTemplate, { ...template, name: `${named} ${text}`, spec });
        assert.equal((await store.read(findTemplate, template.id))?.name, `${named} ${text}`);
      }),
      { numRuns: 30 },
    );
  });

  test("what no id can be is not found, whoever asks", async (t) => {
    const { store } = await Stage.set(open, t);
    for (const id of ["\0", "a\0b", "\u{10FFFF}", "'", "x".repeat(100_000), ""]) {
      assert.equal(await store.read(findJob, id), undefined);
      assert.equal(await store.read(findTemplate, id), undefined);
      assert.equal(await store.read(findWorker, id), undefined);
    }
  });
}
