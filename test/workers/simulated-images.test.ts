// Images that freehold.simulate.json maps to programs and cassettes, through the whole service.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, get } from "node:http";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { pythonWith } from "../sdk/python-environment.ts";

const root = path.join(import.meta.dirname, "../..");

/** A data folder with the files that the rules name. */
function folderWith(python: string | null, web: number, echo: number): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-test-"));
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  const library = JSON.stringify(path.join(root, "src/serve/serve.ts"));
  write(
    "double.mjs",
    `import { serve } from ${library};\nserve({ handler: ({ input }) => ({ twice: 2 * input.n }) });\n`,
  );
  write(
    "worker.py",
    "import runpod\n\n\ndef answer(job):\n    return 1 / job['input']['n']\n\n\n" +
      'runpod.serverless.start({"handler": answer})\n',
  );
  write("dies.mjs", 'console.error("no model in /models");\nprocess.exit(3);\n');
  const call = (route: string, body: object, answer: object) => ({
    method: "POST",
    path: `/v2/shop/${route}`,
    headers: {},
    body: { json: body },
    answer: { status: 200, headers: {}, body: { json: answer } },
  });
  const status = {
    method: "GET",
    path: "/v2/shop/status/{{id:2}}",
    headers: {},
    answer: {
      status: 200,
      headers: {},
      body: { json: { id: "{{id:2}}", status: "FAILED", error: "no such item" } },
    },
  };
  const lines = [
    { cassette: "freehold", version: 1 },
    call(
      "runsync",
      { input: { item: 1 } },
      { id: "{{id:1}}", status: "COMPLETED", output: { price: 1.5 } },
    ),
    call("run", { input: { item: 2 } }, { id: "{{id:2}}", status: "IN_QUEUE" }),
    status,
  ];
  write("shop.jsonl", lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const images = [
    { image: "acme/double:*", handler: "double.mjs" },
    { image: "acme/dies", handler: "dies.mjs" },
    { image: "acme/shop", cassette: "shop.jsonl" },
    { image: "acme/web", ports: { "8000": web, "9000": echo, "9001": 1 } },
    { image: "acme/waits", command: ["sleep", "1000"], ports: { "8000": web, "9000": echo } },
    ...(python ? [{ image: "acme/python", command: [python, "worker.py"] }] : []),
  ];
  write("freehold.simulate.json", JSON.stringify({ images }));
  return folder;
}

interface Shared extends TestService {
  t: TestContext;
  python: string | null;
  endpointOf(imageName: string): Promise<string>;
  runSync(endpoint: string, input: object): Promise<Record<string, unknown>>;
}

function sharedOf(service: TestService): Omit<Shared, "t" | "python"> {
  const { call } = service;
  return {
    ...service,
    async endpointOf(imageName) {
      const { json: template } = await call("POST", "/v1/templates", {
        name: imageName,
        imageName,
        isServerless: true,
        driver: "simulated",
      });
      const { json, text } = await call("POST", "/v1/endpoints", {
        templateId: template.id,
        workersMax: 1,
        computeType: "CPU",
      });
      assert.ok(json.id, text);
      return json.id;
    },
    async runSync(endpoint, input) {
      return (await call("POST", `/v2/${endpoint}/runsync?wait=60000`, { input })).json;
    },
  };
}

async function listening(t: TestContext, server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** What the Pod's port 8000 answers; null unless it answers well. */
async function requestTo(proxyOrigin: string, pod: string): Promise<string | null> {
  const { port } = new URL(proxyOrigin);
  const request = get({ host: "127.0.0.1", port, path: `/${pod}/8000/there`, agent: false });
  const [response] = await once(request, "response");
  let text = "";
  for await (const piece of response) text += piece;
  return response.statusCode === 200 ? text : null;
}

const checks: [name: string, run: (shared: Shared) => Promise<void>][] = [];
const check = (...each: (typeof checks)[number]) => void checks.push(each);

check("a handler answers the jobs of its image", async ({ endpointOf, runSync }) => {
  const endpoint = await endpointOf("acme/double:2");
  const { status, output, ...more } = await runSync(endpoint, { n: 21 });
  assert.deepEqual([status, output], ["COMPLETED", { twice: 42 }], JSON.stringify(more));
});

check("a worker of the public SDK runs by its command", async (shared) => {
  if (!shared.python) return shared.t.skip("no Python");
  const endpoint = await shared.endpointOf("acme/python");
  assert.equal((await shared.runSync(endpoint, { n: 2 })).output, 0.5);
  const { status, error } = await shared.runSync(endpoint, { n: 0 });
  assert.equal(status, "FAILED");
  assert.match(String(error), /division by zero/);
});

check("a handler that dies is its worker's crash, with its log", async (shared) => {
  const { call, endpointOf } = shared;
  const endpoint = await endpointOf("acme/dies");
  await call("POST", `/v2/${endpoint}/run`, { input: {} });
  await until(async () => {
    const { text } = await call("GET", `/v1/why/${endpoint}`);
    return (text.includes("no model in /models") && /\bcode 3\b/.test(text)) || null;
  });
});

check("a cassette answers the inputs that it has", async ({ endpointOf, runSync }) => {
  const endpoint = await endpointOf("acme/shop");
  assert.deepEqual((await runSync(endpoint, { item: 1 })).output, { price: 1.5 });
  const failed = await runSync(endpoint, { item: 2 });
  assert.deepEqual([failed.status, failed.error], ["FAILED", "no such item"]);
  const { status, error } = await runSync(endpoint, { item: 3 });
  assert.equal(status, "FAILED");
  assert.match(String(error), /the input is not in shop\.jsonl/);
});

check("a program of this machine stands behind the ports of a Pod", async (shared) => {
  const { call, proxyOrigin } = shared;
  for (const imageName of ["acme/web", "acme/waits"]) {
    const { json: pod } = await call("POST", "/v1/pods", {
      imageName,
      ports: ["8000/http", "9000/tcp"],
      volumeInGb: 0,
      driver: "simulated",
    });
    const { publicIp, portMappings } = await until(async () => {
      const { json } = await call("GET", `/v1/pods/${pod.id}`);
      return json.publicIp ? json : null;
    });
    const answer = await until(async () => (await requestTo(proxyOrigin!, pod.id)) ?? null);
    assert.equal(answer, "laptop /there");
    const socket = connect(portMappings["9000"], publicIp);
    socket.write("hello");
    const [bytes] = await once(socket, "data");
    socket.destroy();
    assert.equal(String(bytes), "hello");
  }
});

test("an image that is mapped runs its program", async (t) => {
  const python = pythonWith(t, "1.12.0");
  const web = await listening(
    t,
    createHttpServer(({ url }, response) => response.end(`laptop ${url}`)),
  );
  const echo = await listening(
    t,
    createServer((socket) => socket.pipe(socket)),
  );
  const dataFolder = folderWith(python, web, echo);
  const service = await startService(t, { dataFolder, replicas: null });
  const shared = sharedOf(service);
  for (const [name, run] of checks) await t.test(name, (t) => run({ ...shared, t, python }));
});
