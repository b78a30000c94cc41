// Tests of `freehold dev`: the first worker, saves, errors, crashes and Ctrl-C.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { startService } from "../fixtures/service/service.ts";
import { freehold } from "./command.ts";
import { paste, terminal } from "./terminal.ts";

const library = pathToFileURL(
  path.join(import.meta.dirname, "..", "..", "src", "serve", "serve.ts"),
).href;

/** A handler that returns its version's text; with a `gate`, it waits for that file to exist. */
const handler = (version: string) => `import { existsSync } from "node:fs";
import { serve } from "${library}";
await serve<{ gate?: string }>({
  async handler({ input }, { log }) {
    log.info("${version} holds a job");
    while (input.gate && !existsSync(input.gate)) await new Promise((go) => setTimeout(go, 20));
    return "${version}";
  },
});
`;

test("dev restarts after saves, errors and crashes, on its own service", async (t) => {
  const { folder, save } = handlerFolder(t);
  save(handler("one"));
  writeFileSync(path.join(folder, "test_input.json"), '{"input": {"it\'s": "me"}}');
  const data = path.join(folder, "data");
  const dev = terminal(t, ["dev", "handler.ts", "--listen", "127.0.0.1:0", "--data", data], folder);
  await dev.until(/started here on .*data/);
  const [, curl = ""] = await dev.until(/^ {2}try it: +(curl .*)$/m);
  assert.match(curl, /"me"/);
  await dev.until(/^dev +worker \w{4} serves, /m);
  assert.equal(paste(curl).output, "one");
  await dev.until(/^\w{4} +INFO +sync-\S+ +one holds a job$/m);
  await dev.until(/^dev +job sync-\S+ +queued .*, ran .*, COMPLETED$/m);

  save(handler("two"));
  await dev.until(/^dev +handler\.ts was saved: starting a fresh worker/m);
  await dev.until(/^dev +worker \w{4} serves, /m);
  assert.equal(paste(curl).output, "two");

  save(`${handler("three")}const a: = 1;\n`);
  await dev.until(
    /handler\.ts:10[\s\S]*handler\.ts was saved with this error; the previous worker/,
  );
  assert.equal(paste(curl).output, "two");

  save('throw new Error("no such model");\n');
  await dev.until(/^\w{4} +Error: no such model$/m);
  await dev.until(
    /^dev +worker \w{4} ended with code 1 before it was ready; worker \w{4} continues$/m,
  );
  assert.equal(paste(curl).output, "two");

  save(handler("four"));
  await dev.until(/^dev +worker \w{4} serves, /m);
  assert.equal(paste(curl).output, "four");
  assert.equal(await dev.interrupt(), 0, dev.text());
  assert.doesNotMatch(dev.text(), /"level":[45]0/);
});

test("dev finishes a running job first, and deletes the endpoint at the end", async (t) => {
  const service = await startService(t, { drivers: "process" });
  const { folder, save } = handlerFolder(t);
  save(handler("one"));
  const command = [process.execPath, "handler.ts"];
  const args = ["dev", "--data", service.dataFolder, "--name", "mine", "--", ...command];
  const dev = terminal(t, args, folder);
  await dev.until(/which runs already/);
  const [, endpoint] = await dev.until(/endpoint +mine +http\S+\/v2\/(\w+)$/m);
  await dev.until(/serves/);

  const gate = path.join(service.dataFolder, "gate");
  const run = await service.call("POST", `/v2/${endpoint}/run`, { input: { gate } });
  await dev.until(/one holds a job/);
  save(handler("two"));
  await dev.until(/serves/);
  const sync = await service.call("POST", `/v2/${endpoint}/runsync`, { input: {} });
  assert.equal(sync.json.output, "two");
  writeFileSync(gate, "");
  const done = await service.call("GET", `/v2/${endpoint}/status-sync/${run.json.id}`);
  assert.equal(done.json.status, "COMPLETED");
  assert.equal(done.json.output, "one");
  await dev.until(new RegExp(`job ${run.json.id} .*COMPLETED`));

  assert.equal(await dev.interrupt(), 0, dev.text());
  const left = await service.call("GET", "/v1/templates?includeEndpointBoundTemplates=true");
  assert.ok(!left.text.includes("dev mine"), left.text);
  assert.equal((await service.call("GET", `/v1/endpoints/${endpoint}`)).status, 404);
});

test("dev --keep leaves the endpoint, and the next run reuses it at the same address", async (t) => {
  const service = await startService(t, { drivers: "process" });
  const { folder, save } = handlerFolder(t);
  save(handler("one"));
  const args = ["dev", "handler.ts", "--data", service.dataFolder, "--keep"];
  const first = terminal(t, args, folder);
  const [, address] = await first.until(/endpoint +handler +(http\S+)$/m);
  await first.until(/serves/);
  assert.equal(await first.interrupt(), 0, first.text());

  save(handler("two"));
  const second = terminal(t, args, folder);
  const [, again] = await second.until(/endpoint +handler +(http\S+)$/m);
  assert.equal(again, address, second.text());
  await second.until(/serves/);
  const headers = { authorization: service.key };
  const answer = await fetch(`${address}/runsync`, {
    method: "POST",
    headers,
    body: '{"input":{}}',
  });
  assert.match(await answer.text(), /"output":"two"/, second.text());
});

const refusals: [name: string, args: string[], sentence: RegExp, code?: number][] = [
  ["no handler", [], /dev takes a handler's file, or a command after --/],
  ["a file that is not there", ["none.py"], /there is no file \S+none\.py/],
  [
    "a file of another kind",
    ["notes.txt"],
    /say how it is run: freehold dev notes\.txt -- command/,
  ],
  ["a mistake in it", ["wrong.ts"], /wrong\.ts:1[\s\S]*fix it, then start again/],
  ["two handlers", ["a.py", "b.py"], /dev takes one handler/, 2],
  ["no number of workers", ["wrong.ts", "--workers", "many"], /--workers is "many"/, 2],
  [
    "no runpod",
    ["hand.py", "--python", "./python"],
    /has no package runpod.*-m pip install runpod/,
  ],
];
for (const [name, args, sentence, exitCode = 1] of refusals) {
  test(`dev rejects at once: ${name}`, async (t) => {
    const { folder, save } = handlerFolder(t);
    save("const a: = 1;\n", "wrong.ts");
    save("import runpod\n", "hand.py");
    save("", "notes.txt");
    const python = path.join(folder, "python");
    writeFileSync(python, "#!/bin/sh\necho /bin/python; echo False\n", { mode: 0o755 });
    const data = ["--listen", "127.0.0.1:0", "--data", path.join(folder, "data")];
    const { code, stderr } = await freehold(["dev", ...data, ...args], folder);
    assert.equal(code, exitCode);
    assert.match(stderr, sentence);
    assert.doesNotMatch(stderr, /\n\s+at /);
  });
}

function handlerFolder(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-dev-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, "node_modules"));
  const save = (text: string, name = "handler.ts") => writeFileSync(path.join(folder, name), text);
  return { folder, save };
}
