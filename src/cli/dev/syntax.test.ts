import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { syntaxError } from "./syntax.ts";

const folder = mkdtempSync(path.join(tmpdir(), "freehold-syntax-"));
after(() => rmSync(folder, { recursive: true }));
const noPython = spawnSync("python3", ["--version"]).error ? "no python3" : false;

const rows: [file: string, text: string, error: RegExp | null][] = [
  ["good.ts", 'import { type A } from "./none.ts";\nawait (1 as number);\n', null],
  ["bad.ts", "const a: number = 1;\nconst b: = 2;\n", /bad\.ts:2/],
  ["enum.ts", "enum A { B }\n", /enum is not supported/],
  ["good.mjs", 'import "./none.mjs";\nawait 1;\n', null],
  ["bad.mjs", "let a;\nlet a;\n", /bad\.mjs:2[\s\S]*already been declared$/],
  ["good.py", "import nothing\nasync def f(): ...\n", null],
  ["bad.py", "import os\ndef f(:\n", /bad\.py", line 2[\s\S]*SyntaxError/],
  ["nul.py", "a = 1\0", /SyntaxError|ValueError/],
  ["prompt.txt", "def f(:", null],
  ["missing.json", "", null],
];

for (const [file, text, error] of rows) {
  test(`${file} is ${error ? "wrong" : "fine"}`, { skip: /py$/.test(file) && noPython }, () => {
    const at = path.join(folder, file);
    writeFileSync(at, text);
    const actual = syntaxError([at], "python3");
    if (error) assert.match(actual ?? "nothing", error);
    else assert.equal(actual, null);
    assert.doesNotMatch(actual ?? "", /^ {4}at /m);
  });
}

test("nothing is written beside the files", () => {
  assert.deepEqual(readdirSync(folder).sort(), rows.map(([file]) => file).sort());
});
