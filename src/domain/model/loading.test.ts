import assert from "node:assert/strict";
import test from "node:test";
import { loadingOf, progressText } from "./loading.ts";

const machine = [
  { model: "a/done", commit: "1", bytes: 10, downloadedBytes: 10 },
  { model: "a/half", commit: "2", bytes: 12_300_000_000, downloadedBytes: 5_350_000_000 },
  { model: "a/small", commit: "3", bytes: 400, downloadedBytes: 399 },
  { model: "a/found", commit: "4", bytes: 0, downloadedBytes: 0 },
];
const pin = (model: string, commit: string) => ({ model, commit });

const table: [name: string, pinned: ReturnType<typeof pin>[], text: string | null][] = [
  ["nothing pinned", [], null],
  ["complete", [pin("a/done", "1")], null],
  ["under way", [pin("a/done", "1"), pin("a/half", "2")], "a/half 43% of 12.3 GB"],
  ["the largest first", [pin("a/small", "3"), pin("a/half", "2")], "a/half 43% of 12.3 GB"],
  ["almost", [pin("a/small", "3")], "a/small 99% of 1 kB"],
  ["another commit", [pin("a/half", "9")], null],
  ["size unknown", [pin("a/found", "4")], "a/found 0% of 0 kB"],
];

for (const [name, pinned, text] of table) {
  test(name, () => {
    const loading = loadingOf(pinned, machine);
    assert.equal(loading && `${loading.model} ${progressText(loading)}`, text);
  });
}
