// Texts of clients and workers are read exactly as they were written.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { errorOf, outputText } from "../../../src/domain/job/job.ts";
import { defaultTemplate } from "../../../src/domain/template/template.ts";
import { readChunks } from "../../../src/store/job/chunk.ts";
import { findJob } from "../../../src/store/job/find.ts";
import { findTemplate, insertTemplate } from "../../../src/store/template/template.ts";
import { findWorker } from "../../../src/store/worker/worker.ts";
import { appendChunk } from "../../../src/transactions/job/output/append-chunk.ts";
import { markUnhealthy } from "../../../src/transactions/worker/observe.ts";
import { Fixture, type OpenStore, postOf } from "./fixture.ts";

const anyText = fc.array(
  fc.oneof(
    fc.constantFrom("\0", "\u{10FFFF}", "\ufeff", "\uffff", "'", "\\", "\r\n", "?", "$1", "é"),
    fc.string({ unit: "grapheme" }),
  ),
  { minLength: 1 },
);

export function textConformance(open: OpenStore): void {
  test("any text is read as it was written", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store, now } = fixture;
    await fixture.worker("sick");
    let named = 0;
    await fc.assert(
      fc.asyncProperty(anyText, async (parts) => {
        const text = parts.join("");
        const id = await fixture.submit({ input: { inline: text }, extras: text, webhook: text });
        await fixture.claim();
        await store.write(appendChunk, postOf(id), { output: text, metrics: text }, 1, now);
        await fixture.finish(id, { error: text, output: text });
        const job = await fixture.job(id);
        assert.deepEqual([errorOf(job), outputText(job)?.inline, job.webhook], [text, text, text]);
        const [chunk] = await store.read(readChunks, job, 0, 1);
        assert.deepEqual({ ...chunk }, { n: 0, output: text, metrics: text });
        await store.write(markUnhealthy, "sick", text);
        assert.equal((await store.read(findWorker, "sick"))?.unhealthy, text);
        const template = { id: `${named++}`, accountId: "account", labels: {}, createdAt: now };
        const spec = defaultTemplate("x");
        await store.write(insertTemplate, { ...template, name: `${named} ${text}`, spec });
        assert.equal((await store.read(findTemplate, template.id))?.name, `${named} ${text}`);
      }),
      { numRuns: 30 },
    );
  });

  test("an impossible id is not found", async (t) => {
    const { store } = await Fixture.set(open, t);
    for (const id of ["\0", "a\0b", "\u{10FFFF}", "'", "x".repeat(100_000), ""]) {
      assert.equal(await store.read(findJob, id, 0), undefined);
      assert.equal(await store.read(findTemplate, id), undefined);
      assert.equal(await store.read(findWorker, id), undefined);
    }
  });
}
