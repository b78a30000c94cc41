// The speed of scanning a body, compared with Buffer.toString and JSON.parse, which a server uses
// that parses a value only to serialize it again. Run: node bin/run.mjs bench/json.ts
import { KeyTable } from "../src/base/json/keys.ts";
import { JsonScanner, scan } from "../src/base/json/scanner.ts";
import { splitJson } from "../src/base/json/split.ts";

const CHUNK_BYTES = 64 * 1024;
const ROUNDS = 9;
const options = {
  maxDepth: 512,
  keys: new KeyTable(["input", "webhook", "policy", "s3Config", "output", "error", "status"]),
  lenient: true,
};

/** Medians in nanoseconds of one call each, measured in alternation. */
function measure(calls: number, parties: (() => unknown)[]): number[] {
  const times: number[][] = parties.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    parties.forEach((party, k) => {
      const begin = process.hrtime.bigint();
      for (let call = 0; call < calls; call++) party();
      times[k]!.push(Number(process.hrtime.bigint() - begin) / calls);
    });
  }
  return times.map((list) => list.sort((a, b) => a - b)[ROUNDS >> 1]!);
}

function print(name: string, bytes: number, [ours, theirs]: number[], unit: "ns" | "MB/s") {
  const show = (ns: number) => (unit === "ns" ? ns : (bytes / ns) * 1000).toFixed(0).padStart(6);
  const size = bytes < 1e6 ? `${bytes} B` : `${(bytes / 1e6).toFixed(1)} MB`;
  const cells = [name.padEnd(26), size.padStart(8), show(ours!), show(theirs!)];
  console.log(`${cells.join("  ")}  ${unit}`);
}

const request = {
  input: { prompt: "an astronaut riding a horse", steps: 30, guidance: 7.5, size: [1024, 768] },
};
const small: Record<string, unknown> = {
  "submit, one long string": { input: { pad: "x".repeat(180) } },
  "submit, many members": { ...request, policy: { ttl: 60000 }, webhook: "https://host.test/done" },
  "submit, 500 bytes": { input: { ...request.input, negative: "blurry, low ".repeat(31) } },
  "result, short": { output: { ok: true } },
};
const large: Record<string, unknown> = {
  "base64 text": "QUJD".repeat(4e6),
  "escaped text": 'a line \\ of "text"\n'.repeat(4e5),
  "text beyond ASCII": "漢字かな".repeat(6e5),
  "numbers with fractions": Array.from({ length: 5e5 }, (_, k) => Math.sin(k)),
  "short integers": Array.from({ length: 2e6 }, (_, k) => (k * 7919) % 1e5),
  "small objects": Array.from({ length: 2e5 }, (_, id) => ({ id, name: `n ${id}`, tags: ["a"] })),
};

console.log(`${" ".repeat(38)}    scan   parse`);
for (const [name, body] of Object.entries(small)) {
  const bytes = Buffer.from(JSON.stringify(body));
  const parties = [() => scan(bytes, options), () => JSON.parse(bytes.toString())];
  measure(20_000, parties);
  print(name, bytes.length, measure(100_000, parties), "ns");
}
for (const [name, input] of Object.entries(large)) {
  const bytes = Buffer.from(JSON.stringify({ input }));
  const inChunks = () => {
    const scanner = new JsonScanner(options);
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      scanner.feed(bytes.subarray(at, at + CHUNK_BYTES));
    }
    return scanner.end();
  };
  print(name, bytes.length, measure(1, [inChunks, () => JSON.parse(bytes.toString())]), "MB/s");
}
console.log("\nsplitting into pieces of 1 MB, milliseconds");
for (const [name, value] of Object.entries(large)) {
  const text = JSON.stringify(value);
  const [ns] = measure(1, [() => [...splitJson(text, 2 ** 20)]]);
  console.log(`${name.padEnd(26)}${(ns! / 1e6).toFixed(1).padStart(6)}`);
}
