// Tests of the command line's help and suggestions.

import assert from "node:assert/strict";
import { test } from "node:test";
import { freehold, freeholdProcess } from "./command.ts";

test("help lists and describes every command", async () => {
  const { code, stdout } = await freehold(["help"]);
  assert.equal(code, 0);
  const names = [...stdout.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name!);
  assert.ok(names.includes("up") && names.includes("env"), stdout);
  for (const name of names) {
    const output = await freehold(["help", name]);
    assert.equal(output.code, 0, output.stderr);
    assert.ok(output.stdout.startsWith(`freehold ${name}: `), output.stdout);
    assert.equal((await freehold([name, "--help"])).stdout, output.stdout);
  }
  assert.equal((await freeholdProcess(["help"])).stdout, stdout);
});

test("a noun is understood in the singular and in the plural", async () => {
  const helpOf = async (name: string) => (await freehold(["help", name])).stdout;
  assert.equal(await helpOf("pod"), await helpOf("pods"));
  assert.equal(await helpOf("batches"), await helpOf("batch"));
  assert.equal(await helpOf("registry"), await helpOf("registries"));
});

test("help fits a terminal of 80 columns", async () => {
  for (const words of [["run"], ["pods", "create"], ["templates", "create"], ["quota", "set"]]) {
    const { stdout } = await freehold(["help", ...words]);
    assert.deepEqual(
      stdout.split("\n").filter((line) => line.length > 80),
      [],
    );
  }
});

test("the version is that of the package", async () => {
  const { stdout } = await freeholdProcess(["--version"]);
  assert.match(stdout, /^freehold \d+\.\d+\.\d+\n$/);
});

const slips: [args: string[], sentence: RegExp, code?: number][] = [
  [["emv"], /no command "emv"; did you mean `freehold env`\?/],
  [["pods", "get"], /missing required argument 'pod'; `freehold help pods get` shows the usage/],
  [["constructor"], /no command "constructor"/],
  [["env", "--fromat", "fish"], /unknown option '--fromat'; did you mean --format\?/],
  [["env", "--format", "tcsh"], /--format is "tcsh"; it takes sh, fish, dotenv, json/],
  [["env", "--format"], /freehold help env/],
  [["up", "--listne", "8700"], /unknown option '--listne'; did you mean --listen\?/],
  [
    ["up", "--listen", "nowhere", "--log-level", "loud"],
    /FREEHOLD_LISTEN.*\n.*FREEHOLD_LOG_LEVEL/,
    1,
  ],
];
for (const [args, sentence, exitCode = 2] of slips) {
  test(`freehold ${args.join(" ")}: one sentence that helps`, async () => {
    const { code, stdout, stderr } = await freehold(args);
    assert.equal(code, exitCode);
    assert.equal(stdout, "");
    assert.match(stderr, sentence);
    assert.doesNotMatch(stderr, /\n\s+at /);
  });
}
