// Plain requests to the routes of jobs and workers get the answers that Fastify gives to the same requests.

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { startService, type TestService } from "../fixtures/service/service.ts";

const protocol = { pollHoldMs: 30, refuseHoldMs: 30, drainMs: 2_000 };

/** A repeated header makes a request one for Node's HTTP server, and changes nothing else. */
const UNUSUAL = "X-Twice: 1\r\nX-Twice: 2\r\n";

interface Sent {
  method: string;
  path: string;
  key?: string;
  body?: string;
  more?: string;
}

function textOf({ method, path, key, body, more = "" }: Sent): string {
  const authorization = key === undefined ? "" : `Authorization: ${key}\r\n`;
  const length = body === undefined ? "" : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: test\r\n${authorization}${length}${more}\r\n${body ?? ""}`;
}

async function exchange(service: TestService, text: string): Promise<string> {
  const socket = connect(Number(new URL(service.origin).port), "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8").on("data", (piece) => {
    received += piece;
  });
  socket.write(text);
  await once(socket, "end");
  return received;
}

/** The response without what differs between any two requests. */
function comparable(response: string): { status: string; headers: string[]; body: string } {
  const [head = "", body = ""] = response.split("\r\n\r\n");
  const [status = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line) => line.toLowerCase()).filter((line) => !/^date:/.test(line));
  const masked = body.replace(/"(?:delayTime|executionTime)":\d+/g, '"time":0');
  return { status, headers: headers.sort(), body: masked };
}

/** Every kind of answer of every route, each on a new endpoint. */
const steps: ((place: Place) => Sent | Promise<Sent>)[] = [
  ({ at, key }) => ({ method: "POST", path: at("run"), key, body: "{" }),
  ({ at, key }) => ({ method: "POST", path: at("run"), key }),
  ({ at, key }) => ({ method: "POST", path: at("run"), key, body: '{"input":1}' }),
  ({ at, key }) => ({ method: "POST", path: at("run"), key, body: '{"input":{},"inptu":1}' }),
  ({ at }) => ({ method: "POST", path: at("run"), body: '{"input":{}}' }),
  ({ at }) => ({ method: "POST", path: at("run"), key: "Bearer wrong", body: '{"input":{}}' }),
  ({ key }) => ({ method: "POST", path: "/v2/nowhere/run", key, body: '{"input":{}}' }),
  ({ at, key }) => ({ method: "POST", path: at("runsync?wait=x"), key, body: '{"input":{}}' }),
  ({ at, key }) => ({ method: "GET", path: at("run"), key }),
  ({ at, key }) => ({ method: "GET", path: at("status/none"), key }),
  ({ at, key }) => ({ method: "GET", path: at("status/a%2fb"), key }),
  async ({ at, key, submit }) => ({ method: "GET", path: at(`status/${await submit()}`), key }),
  async ({ at, key, submit }) => ({
    method: "POST",
    path: `/${at(`status/${await submit()}`)}`,
    key,
  }),
  async ({ at, key, submit }) => ({
    method: "GET",
    path: at(`status/${await submit()}?ttl=1`),
    key,
  }),
  async ({ at, key, submit }) => ({ method: "POST", path: at(`cancel/${await submit()}`), key }),
  async ({ at, key, submit }) => ({ method: "POST", path: at(`retry/${await submit()}`), key }),
  ({ at, key }) => ({ method: "POST", path: at("purge-queue"), key, body: "" }),
  ({ at, key }) => ({ method: "GET", path: at("health"), key }),
  ({ at, key }) => ({ method: "GET", path: at("requests?limit=x"), key }),
  ({ at, worker }) => ({ method: "GET", path: at(`job-take/${worker.id}?gpu=x`), key: worker.key }),
  async ({ at, worker, submit }) => {
    await submit('{"input":{"text":"ünï\\u0000"}}');
    return { method: "GET", path: at(`job-take/${worker.id}`), key: worker.key };
  },
  async ({ at, worker, submit }) => {
    await submit();
    const query = "?batch_size=5";
    return { method: "GET", path: at(`job-take-batch/${worker.id}${query}`), key: worker.key };
  },
  ({ at, key, worker }) => ({ method: "GET", path: at(`job-take/${worker.id}`), key }),
  ({ at, worker }) => ({ method: "GET", path: at("job-take/another"), key: worker.key }),
  ({ at, worker }) => ({ method: "GET", path: at(`ping/${worker.id}&job_id=a`), key: worker.key }),
  ({ at, worker }) => ({ method: "GET", path: at(`job-stop/${worker.id}`), key: worker.key }),
  ({ at, worker }) => {
    const path = at(`job-done/${worker.id}/none?isStream=false`);
    return { method: "POST", path, key: worker.key, body: '{"output":NaN}' };
  },
  async ({ at, worker, submit }) => {
    const job = await submit();
    await worker.take();
    const path = at(`job-done/${worker.id}/${job}?isStream=false`);
    const more = "Content-Type: application/x-www-form-urlencoded\r\n";
    return { method: "POST", path, key: worker.key, body: '{"output":NaN}', more };
  },
  async ({ at, worker, submit }) => {
    const job = await submit();
    await worker.take();
    const path = at(`job-stream/${worker.id}/${job}`);
    return { method: "POST", path, key: worker.key, body: '{"output":1}' };
  },
];

interface Place {
  key: string;
  at(rest: string): string;
  worker: { id: string; key: string; take(): Promise<unknown> };
  /** Creates a job and returns its id. */
  submit(body?: string): Promise<string>;
}

async function newPlace(service: TestService): Promise<Place> {
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  return {
    key: `Bearer ${service.key}`,
    at: (rest) => `/v2/${endpoint}/${rest}`,
    worker: { id: worker.id, key: worker.key, take: () => worker.call("job-take") },
    async submit(body = '{"input":{}}') {
      return (await service.call("POST", `/v2/${endpoint}/run`, body)).json.id;
    },
  };
}

/** The ids of a response replaced by the same word. */
function withoutIds(response: string, { at, worker }: Place): string {
  const endpoint = at("").split("/")[2]!;
  return response
    .replaceAll(endpoint, "endpoint")
    .replaceAll(worker.id, "worker")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}\S*?-u\d|[0-9a-f]{8}-[0-9a-f-]{27,40}/g, "job");
}

async function answerOf(service: TestService, step: (typeof steps)[number], more: string) {
  const place = await newPlace(service);
  const sent = await step(place);
  const text = textOf({ ...sent, more: `${sent.more ?? ""}Connection: close\r\n${more}` });
  return comparable(withoutIds(await exchange(service, text), place));
}

async function started(t: TestContext) {
  return startService(t, { protocol, replicas: null });
}

test("a plain request gets the answer that any other form of it gets", async (t) => {
  const service = await started(t);
  for (const [n, step] of steps.entries()) {
    const plain = await answerOf(service, step, "");
    const unusual = await answerOf(service, step, UNUSUAL);
    assert.deepEqual(plain, unusual, `step ${n}`);
  }
});

test("a large result is streamed to a plain request", async (t) => {
  const service = await started(t);
  const { key, at, worker, submit } = await newPlace(service);
  const job = await submit();
  await worker.take();
  const output = JSON.stringify("x".repeat(3_000_000));
  const done = at(`job-done/${worker.id}/${job}`);
  const posted = await exchange(
    service,
    textOf({
      method: "POST",
      path: done,
      key: worker.key,
      body: `{"output":${output}}`,
      more: "Connection: close\r\n",
    }),
  );
  assert.match(posted, /^HTTP\/1\.1 200 /);
  const read = { method: "GET", path: at(`status/${job}`), key, more: "Connection: close\r\n" };
  const response = await exchange(service, textOf(read));
  assert.ok(response.includes(`"output":${output}`));
});

test("two requests on one connection are answered in order", async (t) => {
  const service = await started(t);
  const { key, at, submit } = await newPlace(service);
  const [first, second] = [await submit(), await submit()];
  const request = (job: string, more = "") =>
    textOf({ method: "GET", path: at(`status/${job}`), key, more });
  const response = await exchange(
    service,
    request(first) + request(second, "Connection: close\r\n"),
  );
  assert.ok(response.indexOf(first) < response.indexOf(second));
  assert.equal(response.match(/HTTP\/1\.1 200 /g)?.length, 2);
});
