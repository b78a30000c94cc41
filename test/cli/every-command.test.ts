// What holds for every command and subcommand: the shape of its help, and how it ends on a wrong option, a missing
// argument, an unknown name, a stopped service and a revoked key; `--json` prints JSON and nothing else.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { exitCodes } from "../../src/base/refusal.ts";
import { commands } from "../../src/cli/command-table.ts";
import { settings } from "../../src/config/settings.ts";
import { startService } from "../fixtures/service/service.ts";
import { freehold } from "./command.ts";

interface Leaf {
  words: string[];
  help: string;
  /** The placeholders of its required arguments. */
  required: string[];
}

/** Every command without subcommands, and every subcommand. */
const leaves: Leaf[] = [];
for (const [name, entry] of Object.entries(commands)) {
  const { usage } = await entry.load();
  const { text } = await usage([]);
  const [, section] = text.split("\nCommands:\n");
  const names = [...(section ?? "").matchAll(/^ {2}([\w-]+)/gm)].map(([, word]) => word!);
  for (const words of section === undefined ? [[]] : names.map((word) => [word])) {
    const help = (await usage(words)).text;
    const [line = ""] = help.split("\n");
    const required = [...line.matchAll(/<([\w-]+)(?:\.\.\.)?>/g)].map(([, word]) => word!);
    leaves.push({ words: [name, ...words], help, required });
  }
}

/** Those that talk to a service, on this machine or elsewhere. */
const ofService = leaves.filter(({ help }) => help.includes("--context <name>"));
const titleOf = ({ words }: Leaf) => `freehold ${words.join(" ")}`;

test("there are commands and subcommands", () => {
  assert.ok(leaves.length > 150, `${leaves.length}`);
  assert.ok(ofService.length > 130, `${ofService.length}`);
});

test("every help has one shape, and fits 80 columns", () => {
  for (const leaf of leaves) {
    const lines = leaf.help.split("\n");
    assert.ok(lines[0]!.startsWith(`Usage: ${titleOf(leaf)}`), `${titleOf(leaf)}: ${lines[0]}`);
    const title = titleOf(leaf);
    const long = lines.filter((line) => line.length > 80 && !/^ {2}(?:freehold|eval) /.test(line));
    assert.deepEqual(long, [], title);
    const [synopsis = "", examples = ""] = leaf.help.split("\nExamples:\n");
    assert.ok(!examples.includes("\n  -"), `${title}: options are before examples`);
    const undescribed = synopsis.split("\n").filter((line, at, all) => {
      if (!/^ {2}-/.test(line)) return false;
      return !/ {2,}\S/.test(line.slice(4)) && !/^ {4,}\S/.test(all[at + 1] ?? "");
    });
    assert.deepEqual(undescribed, [], title);
  }
});

test("the help of up has every setting once, under a heading", async () => {
  const { usage } = await commands.up!.load();
  const { text } = await usage([]);
  const flags = [...text.matchAll(/^ {2}--([\w-]+)/gm)].map(([, flag]) => flag!);
  const current = Object.values(settings).filter(({ flag }) => flag !== "virtual-gpus");
  assert.deepEqual(flags.toSorted(), [...current.map(({ flag }) => flag), "config"].toSorted());
  const headings = [...text.matchAll(/^(\w.*):\n {2}--/gm)].map(([, heading]) => heading!);
  assert.equal(headings[0], "Most used");
  assert.ok(text.split("\n\n").every((block) => block.split("\n").length <= 24));
});

/** A refusal: the exit code, nothing for programs, a sentence for people and no stack. */
async function refuses(leaf: Leaf, args: string[], codes: number[]): Promise<string> {
  const ended = await freehold([...leaf.words, ...args]);
  const { code, stdout } = ended;
  // The start in a clone builds the console beside it.
  const stderr = ended.stderr.replace(/^ {2}building the console.*\n/, "");
  const context = `${titleOf(leaf)} ${args.join(" ")}: ${code}\n${stdout}${stderr}`;
  assert.ok(codes.includes(code ?? -1), context);
  assert.equal(stdout, "", context);
  assert.match(stderr, /^(?:freehold: )?\S.*\n/, context);
  assert.doesNotMatch(stderr, /\n\s+at |\[object|undefined|Error:/, context);
  return stderr;
}

test("an unknown option is refused, with the help that has the right ones", async () => {
  for (const leaf of leaves) {
    const stderr = await refuses(leaf, ["--no-such-option-here"], [exitCodes.usage]);
    // Of two errors, the first is said.
    const expected = /^freehold: (?:unknown option '--no-such-option-here'|required option ).*; /;
    assert.match(stderr, expected, titleOf(leaf));
  }
});

test("a missing argument is named", async () => {
  for (const leaf of leaves.filter(({ required }) => required.length > 0)) {
    const stderr = await refuses(leaf, [], [exitCodes.usage]);
    assert.match(stderr, new RegExp(`missing required argument '${leaf.required[0]}'`));
  }
});

test("an unknown subcommand is refused, also where a default lists", async () => {
  const groups = new Set(
    leaves.filter(({ words }) => words.length > 1).map(({ words }) => words[0]!),
  );
  for (const group of groups) {
    const { code, stdout, stderr } = await freehold([group, "no-such-word"]);
    assert.deepEqual([code, stdout], [exitCodes.usage, ""], group);
    assert.match(stderr, new RegExp(`^freehold: ${group} has no subcommand "no-such-word"; `));
  }
});

test("an option in place of a subcommand is not called unknown", async () => {
  for (const group of ["quote", "init", "service", "completion"]) {
    const { code, stderr } = await freehold([group, "--data", "/nowhere"]);
    assert.equal(code, exitCodes.usage);
    assert.match(stderr, new RegExp(`^freehold: ${group} takes a subcommand; there are `));
  }
});

const words: Record<string, string> = { dollars: "1", span: "1h", duration: "1m" };
/** Arguments of the right kind that name nothing. */
const argumentsOf = ({ required }: Leaf) => required.map((name) => words[name] ?? "no-such-thing");

/** They take a file, a program or a picture of the world before they talk to a service. */
const LOCAL_FIRST = new Set(["apply", "deploy", "cp", "record", "replay", "diff", "login", "open"]);
const asking = ofService.filter(({ words: [name] }) => !LOCAL_FIRST.has(name!));

test("a stopped service is said at once, in one sentence", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-none-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const leaf of asking) {
    const args = ["--data", folder, "--listen", "127.0.0.1:9", ...argumentsOf(leaf)];
    await refuses(leaf, args, [exitCodes.unreachable, exitCodes.usage, exitCodes.denied]);
  }
});

test("a revoked key is refused as such", async (t) => {
  const service = await startService(t);
  const { json: key } = await service.call("POST", "/v1/keys", { name: "left" });
  await service.call("DELETE", `/v1/keys/${key.id}`);
  const env = { FREEHOLD_URL: service.origin, FREEHOLD_KEY: key.key };
  for (const leaf of asking.filter(({ words: [name] }) => name !== "env")) {
    const { code, stdout, stderr } = await freehold([...leaf.words, ...argumentsOf(leaf)], { env });
    const context = `${titleOf(leaf)}: ${code}\n${stdout}${stderr}`;
    assert.ok(code === exitCodes.denied || code === exitCodes.usage, context);
    assert.equal(stdout, "", context);
  }
});

test("an unknown name is refused, and --json prints JSON alone", async (t) => {
  const service = await startService(t);
  const data = ["--data", service.dataFolder];
  const named = asking.filter(
    ({ words, required }) => required.length > 0 && words[1] !== "create",
  );
  for (const leaf of named) {
    const codes = [exitCodes.notFound, exitCodes.usage, exitCodes.refused, exitCodes.denied];
    await refuses(leaf, [...data, "--json", ...argumentsOf(leaf)], codes);
  }
  for (const leaf of asking.filter(({ required }) => required.length === 0)) {
    if (!leaf.help.includes("--json")) continue;
    // JSON is asked for in so many words, so it goes before --quiet.
    const output = leaf.help.includes("--quiet") ? ["--json", "--quiet"] : ["--json"];
    const { code, stdout, stderr } = await freehold([...leaf.words, ...data, ...output]);
    if (code === 0) assert.doesNotThrow(() => JSON.parse(stdout), `${titleOf(leaf)}: ${stdout}`);
    else assert.equal(stdout, "", `${titleOf(leaf)}: ${stdout}${stderr}`);
  }
});
