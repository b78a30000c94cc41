import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { parseEnv } from "node:util";
import { type Setting, shellLines } from "./shell-lines.ts";

const settings: Setting[] = [
  { name: "PLAIN", value: "http://127.0.0.1:8700/v1" },
  { name: "QUOTES", value: `a'b"c` },
  { name: "EXPANDED", value: "$HOME`id`\\n!x#y;z" },
];
const comments = ["It's a comment; $(false) `false`", ""];

const run = (shell: string, script: string) => spawnSync(shell, ["-c", script, shell], { env: {} });

for (const [name, call] of [
  ["quoted", 'eval "$LINES_"'],
  ["unquoted", "set -f; eval $LINES_"],
]) {
  test(`a shell parses the printed lines back, ${name}`, () => {
    const text = shellLines("sh", settings, comments);
    const print = settings.map((setting) => `printf '%s\\n' "$${setting.name}"`).join(";");
    const { stdout, stderr, status } = spawnSync("sh", ["-c", `${call}; ${print}`], {
      env: { LINES_: text, HOME: "/nowhere" },
      encoding: "utf8",
    });
    assert.equal(stderr, "");
    assert.equal(status, 0);
    assert.deepEqual(
      stdout.trimEnd().split("\n"),
      settings.map(({ value }) => value),
    );
  });
}

test("fish parses the printed lines back", { skip: run("fish", "true").error && "no fish" }, () => {
  const text = shellLines("fish", settings, comments);
  const print = settings.map((setting) => `printf '%s\\n' $${setting.name}`).join("\n");
  const { stdout } = spawnSync("fish", ["-c", `${text}\n${print}`], { encoding: "utf8" });
  assert.deepEqual(
    stdout.trimEnd().split("\n"),
    settings.map(({ value }) => value),
  );
});

test("readers of .env files and of JSON get the values", () => {
  const desired = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
  assert.deepEqual({ ...parseEnv(shellLines("dotenv", settings, comments)) }, desired);
  assert.deepEqual(JSON.parse(shellLines("json", settings, comments)), desired);
});
