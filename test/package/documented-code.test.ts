// The programs of the documentation run as they are shown, with the packages that a user installs.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { type CodeBlock, codeBlocksFor } from "../docs/code-blocks.ts";
import { docker, ensureShellImage, sharedEngine, skipReason } from "../fixtures/docker/engine.ts";
import { startService } from "../fixtures/service/service.ts";
import { pythonWith } from "../sdk/python-environment.ts";
import { startReceiver } from "../webhook/receiver.ts";
import { emptyFolder, environment, installNpm, installWheels, root } from "./installed.ts";

const blocksOf = (page: string, language: CodeBlock["language"]) =>
  codeBlocksFor("test/package/documented-code.test.ts", page, language);

/** The block of a page with this text. */
function blockWith(page: string, text: string): string {
  const block = blocksOf(page, "ts").find((each) => each.includes(text));
  assert.ok(block, `${page} has no block with ${text}`);
  return block;
}

const withoutEngine = { DOCKER_HOST: "unix:///no/such/engine.sock", CI: "" };

/** Variables of an engine with the image that the pages name, if there is an engine. */
async function engineVariables(t: TestContext): Promise<NodeJS.ProcessEnv> {
  if (skipReason) return withoutEngine;
  const host = await sharedEngine();
  const image = ensureShellImage(host, "acme/tools:1");
  t.after(() => docker(host, "rmi", image));
  return { DOCKER_HOST: host };
}

/** Runs a program with the user's variables in a folder; returns what it prints if it succeeds. */
function succeed(cwd: string, [program = "", ...args]: string[], more: NodeJS.ProcessEnv): string {
  const env = { ...environment, ...more };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

test("the page about CI quotes the tests of the repository that it names", () => {
  // The tests of test-kits.test.ts run it.
  const tests = path.join(root, "examples", "ci", "tests");
  const sources = readdirSync(tests).map((name) => readFileSync(path.join(tests, name), "utf8"));
  for (const block of blocksOf("docs/ci.md", "python")) {
    const quote = block.replace(/^# tests\/.*\n/, "");
    assert.ok(sources.join("\n").includes(quote), quote);
  }
});

const tracedTest = `def test_the_worker_of_the_page(freehold):
    with freehold.endpoint("traced_worker.py") as endpoint:
        assert endpoint.runsync({})["output"] == {"ok": True}
`;

test("the Python of the documentation runs with pytest-freehold", async (t) => {
  const python = pythonWith(t, "1.12.0");
  if (!python) return;
  const options = { python, others: ["opentelemetry-api==1.45.2"] };
  const programs = installWheels(t, ["freehold", "pytest-freehold"], options);
  if (!programs) return;
  const folder = emptyFolder(t);
  const files = {
    "test_page.py": blocksOf("docs/testing.md", "python").join("\n"),
    "test_readme.py": blocksOf("packages/pytest/README.md", "python").join("\n"),
    "traced_worker.py": blocksOf("docs/tracing.md", "python").join("\n"),
    "test_traced.py": tracedTest,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  // The SDK of another environment, because its installation takes half a minute.
  const libraries = path.join(path.dirname(path.dirname(python)), "lib");
  const [version] = readdirSync(libraries).filter((name) => name.startsWith("python3"));
  const sdk = path.join(libraries, version!, "site-packages");
  const stdout = succeed(folder, [path.join(programs, "python"), "-m", "pytest", "-q"], {
    PYTHONPATH: sdk,
    PYTHONDONTWRITEBYTECODE: "1",
    ...(await engineVariables(t)),
  });
  assert.match(stdout, skipReason ? /7 passed, 1 skipped/ : /8 passed/);
});

/** Workers of the documentation: what the page leaves to the reader, an input and its output. */
const workers = [
  {
    block: () => blockWith("docs/worker-library.md", "Hello"),
    input: { name: "you" },
    output: { message: "Hello, you!" },
  },
  {
    block: () => blockWith("packages/worker/README.md", "Hello"),
    input: { name: "you" },
    output: { message: "Hello, you!" },
  },
  {
    before: 'async function* generate(prompt) { yield* prompt.split(" "); }',
    block: () => blockWith("docs/worker-library.md", "generate"),
    input: { prompt: "one two" },
    output: ["one", "two"],
  },
  {
    block: () => blockWith("docs/worker-library.md", "progress"),
    input: { url: 'data:application/json,{"ok":true}' },
    output: { ok: true },
  },
  {
    block: () => blockWith("packages/worker/README.md", "progress"),
    input: { url: 'data:application/json,{"ok":true}' },
    output: { ok: true },
  },
  {
    before: "const infer = (input) => ({ inferred: input });",
    block: () => blockWith("docs/tracing.md", "infer"),
    input: { n: 7 },
    output: { inferred: { n: 7 } },
  },
];

const workersTest = `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { startFreehold } from "freehold-testing";

const freehold = await startFreehold();
after(() => freehold.stop());
for (const { file, input, output } of JSON.parse(readFileSync("workers.json", "utf8"))) {
  test(file, async () => {
    const endpoint = await freehold.endpoint(file);
    assert.deepEqual((await endpoint.runsync(input)).output, output);
  });
}
`;

/** An empty folder with the packages, and one that only a page about tracing needs. */
function folderWithPackages(t: TestContext): string {
  const folder = emptyFolder(t);
  installNpm(folder, "freehold", "freehold-worker", "freehold-testing");
  const api = path.join("node_modules", "@opentelemetry", "api");
  cpSync(path.join(root, api), path.join(folder, api), { recursive: true });
  return folder;
}

test("the workers in TypeScript of the documentation answer jobs", (t) => {
  const folder = folderWithPackages(t);
  const cases = workers.map(({ before = "", block, input, output }, index) => {
    const file = `worker-${index}.ts`;
    writeFileSync(path.join(folder, file), `${before}\n${block()}`);
    return { file, input, output };
  });
  const pages = ["docs/worker-library.md", "packages/worker/README.md", "docs/tracing.md"];
  assert.equal(cases.length, pages.flatMap((page) => blocksOf(page, "ts")).length);
  writeFileSync(path.join(folder, "workers.json"), JSON.stringify(cases));
  writeFileSync(path.join(folder, "workers.test.mjs"), workersTest);
  const stdout = succeed(folder, [process.execPath, "--test", "workers.test.mjs"], {});
  assert.match(stdout, new RegExp(`pass ${cases.length}\n`));
});

test("the tests for node:test of the documentation pass", async (t) => {
  const folder = folderWithPackages(t);
  const page = "docs/testing.md";
  // The tests of the page expect a worker that greets without the exclamation mark of the other page.
  const worker = blockWith("docs/worker-library.md", "Hello").replace("!", "");
  const files = {
    "worker.ts": worker,
    "page.test.ts": blockWith(page, "the worker greets") + blockWith(page, "lags behind"),
    "engine.test.ts": blockWith(page, "the image runs"),
    "readme.test.ts": blockWith("packages/testing/README.md", "the worker greets"),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const variables = await engineVariables(t);
  const stdout = succeed(folder, [process.execPath, "--test", "*.test.ts"], variables);
  assert.match(stdout, skipReason ? /pass 3\n[\s\S]*skipped 1\n/ : /pass 4\n/);
});

const vitestTest = `import { expect, test } from "vitest";
test("the service of the page answers", async () => {
  expect(await freehold.call("GET", "/v1/pods")).toEqual([]);
});
`;

test("the configuration of vitest in the documentation runs a service", (t) => {
  const folder = folderWithPackages(t);
  const install = ["install", "--prefer-offline", "--no-audit", "--no-fund", "vitest@4"];
  const installed = spawnSync("npm", install, { cwd: folder, encoding: "utf8" });
  if (installed.status !== 0) {
    if (process.env.CI) assert.fail(installed.stderr);
    return t.skip(`vitest cannot be installed: ${installed.stderr.split("\n")[0]}`);
  }
  const command = path.join(folder, "node_modules", "vitest", "vitest.mjs");
  for (const page of ["docs/testing.md", "packages/testing/README.md"]) {
    writeFileSync(path.join(folder, "vitest.config.ts"), blockWith(page, "// vitest.config.ts"));
    writeFileSync(
      path.join(folder, "page.test.ts"),
      blockWith(page, "connectFreehold") + vitestTest,
    );
    assert.match(succeed(folder, [process.execPath, command, "run"], {}), /1 passed/);
  }
});

test("the verification of webhooks in the documentation accepts deliveries, and nothing else", async (t) => {
  const file = path.join(emptyFolder(t), "verify.mjs");
  const [block] = blocksOf("docs/webhooks.md", "js");
  writeFileSync(file, `${block}\nexport { verify };\n`);
  const { verify } = await import(pathToFileURL(file).href);
  const service = await startService(t);
  const receiver = await startReceiver(t);
  const { json } = await service.call("PATCH", "/v1/account", { webhookSecret: "generate" });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  await service.call("POST", `/v2/${endpoint}/run`, { input: {}, webhook: receiver.url });
  const { id } = (await worker.call("job-take")).json;
  await worker.call(`job-done/${id}`, "", '{"output":1}');
  const [{ headers, body }] = (await receiver.sent(1)) as [{ headers: object; body: string }];
  assert.equal(verify(headers, body, json.webhookSecret), true);
  assert.equal(verify(headers, `${body} `, json.webhookSecret), false);
  assert.equal(verify({ ...headers, "webhook-timestamp": "0" }, body, json.webhookSecret), false);
});
