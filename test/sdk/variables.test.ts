// The variables that `freehold env` prints, with unmodified clients of npm, PyPI and crates.io: every
// request arrives at the service, and none leaves for another host. The clients reach other hosts
// through a proxy, which records each request.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { freehold } from "../cli/command.ts";
import { startService } from "../fixtures/service/service.ts";
import { npmClient } from "./npm-client.ts";
import { pythonWith } from "./python-environment.ts";
import { rustClient } from "./rust-client.ts";

const run = promisify(execFile);
const PYTHON_PROGRAM = path.join(import.meta.dirname, "python", "every_interface.py");

type Environment = Record<string, string | undefined>;

/** A service with an endpoint, and the environment of a client that has its variables. */
async function scene(t: TestContext, ...args: string[]) {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const leaving = await recorder(t);
  const printed = ["env", "--data", service.dataFolder, "--format", "json", ...args];
  const { stdout } = await freehold(printed);
  const variables = JSON.parse(stdout) as Environment;
  const outside: Environment = { PATH: process.env.PATH, HOME: service.dataFolder };
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]) {
    outside[name] = leaving.proxy;
    outside[name.toLowerCase()] = leaving.proxy;
  }
  Object.assign(outside, { NO_PROXY: "127.0.0.1", no_proxy: "127.0.0.1", NODE_USE_ENV_PROXY: "1" });
  const env: Environment = { ...outside, ENDPOINT: endpoint, ...variables };
  return { endpoint, leaving, variables, env };
}

/** A proxy that refuses every request and remembers its host. */
async function recorder(t: TestContext) {
  const hosts: string[] = [];
  const server = createServer((request, response) => {
    hosts.push(request.url ?? "");
    response.writeHead(502).end();
  });
  server.on("connect", (request, socket) => {
    hosts.push(request.url ?? "");
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => server.close());
  return { hosts, proxy: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test("the Python SDK calls no other host with its variables", async (t) => {
  const python = pythonWith(t, "1.12.0");
  if (!python) return;
  const { env, leaving } = await scene(t);
  await run(python, [PYTHON_PROGRAM], { env });
  assert.deepEqual(leaving.hosts, []);
});

test("without its variables, the recorder notices where a client's requests go", async (t) => {
  const python = pythonWith(t, "1.12.0");
  if (!python) return;
  const { env, leaving } = await scene(t);
  const { RUNPOD_API_BASE_URL: _, RUNPOD_ENDPOINT_BASE_URL: __, ...rest } = env;
  await assert.rejects(run(python, [PYTHON_PROGRAM], { env: rest }));
  assert.ok(leaving.hosts.includes("api.runpod.io:443"), leaving.hosts.join());
});

test("the JavaScript SDK, with the line that env prints", async (t) => {
  const { env, leaving } = await scene(t);
  const program = `
    import sdk from ${JSON.stringify(import.meta.resolve("runpod-sdk"))};
    const runpod = sdk(process.env.RUNPOD_API_KEY, { baseUrl: process.env.FREEHOLD_URL + "/v2" });
    const { workers } = await runpod.endpoint(process.env.ENDPOINT).health();
    if (!workers) throw new Error("no workers in the answer");`;
  await run(process.execPath, ["--input-type=module", "--eval", program], { env });
  assert.deepEqual(leaving.hosts, []);
});

test("the MCP server calls no other host with its variables", async (t) => {
  const sdk = npmClient(t, "@modelcontextprotocol/sdk/dist/esm/client");
  const server = npmClient(t, "@runpod/mcp-server/dist/stdio.mjs");
  if (!sdk || !server) return;
  const { env, leaving, endpoint } = await scene(t);
  const load = (name: string) => import(pathToFileURL(path.join(sdk, name)).href);
  const { Client } = await load("index.js");
  const { StdioClientTransport } = await load("stdio.js");
  const client = new Client({ name: "freehold-tests", version: "1.0.0" });
  t.after(() => client.close());
  const transport = { command: process.execPath, args: [server], env };
  await client.connect(new StdioClientTransport(transport));
  for (const [name, args] of [
    ["list-pods", {}],
    ["endpoint-health", { endpointId: endpoint }],
  ] as const) {
    const answer = await client.callTool({ name, arguments: args });
    assert.ok(!answer.isError, `${name}: ${JSON.stringify(answer.content)}`);
  }
  assert.deepEqual(leaving.hosts, []);
});

test("the Rust SDK, with the variables for it", async (t) => {
  const program = rustClient(t);
  if (!program) return;
  const { env, leaving, variables } = await scene(t, "--for", "rust");
  await run(program, [], { env });
  // The crate's queue call goes nowhere with the variables of the other clients.
  const { RUNPOD_API_URL: url = "" } = variables;
  await assert.rejects(
    run(program, [], { env: { ...env, RUNPOD_API_URL: url.replace("v2", "v1") } }),
  );
  assert.deepEqual(leaving.hosts, []);
});
