// `freehold diff`: the session of a real client, run against other services.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { systemClock } from "../../src/base/clock.ts";
import { startRecording } from "../../src/cassette/record/recording.ts";
import { closeServer } from "../../src/cassette/server.ts";
import { freehold } from "../cli/command.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { emptyFolder } from "./empty-folder.ts";
import { runSession, serveSession } from "./session.ts";

async function recordSession(t: TestContext, file: string): Promise<void> {
  const service = await startService(t);
  await serveSession(service);
  const spec = { upstreams: [service.origin], file, listen: "127.0.0.1:0" };
  const deps = { clock: systemClock, onCall: () => {}, onProblem: assert.fail };
  const recording = await startRecording(spec, deps);
  await runSession(recording.origin, service.key);
  await recording.close();
}

/** A service in front of another, whose answers it changes. */
async function changedService(
  t: TestContext,
  { origin }: TestService,
  change: (path: string, status: number, text: string) => [status: number, text: string],
): Promise<string> {
  const server = http.createServer(async (request, response) => {
    const pieces = await request.toArray();
    const { method = "GET", url = "/" } = request;
    const headers = {
      authorization: request.headers.authorization!,
      "content-type": "application/json",
    };
    const body = Buffer.concat(pieces);
    const init = { method, headers, ...(body.length > 0 && { body }) };
    const answer = await fetch(origin + url, init);
    const [status, text] = change(`${method} ${url}`, answer.status, await answer.text());
    response.writeHead(status).end(text);
  });
  addCleanup(t, () => closeServer(server));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a Freehold answers a session as another did, and planted drift is found", async (t) => {
  const file = path.join(emptyFolder(t), "a.jsonl");
  await recordSession(t, file);
  const service = await startService(t);
  await serveSession(service);
  const run = (origin: string, ...more: string[]) =>
    freehold(["diff", file, "--against", origin, "--wait", "5", ...more], {
      env: { FREEHOLD_KEY: service.key },
    });
  const same = await run(service.origin);
  assert.equal(same.code, 0, same.stdout + same.stderr);
  assert.match(same.stdout, /^11 calls, 0 differences\n$/);

  const origin = await changedService(t, service, (call, status, text) => {
    if (call === "GET /v2/catalog/gpus")
      return [status, text.replace(/"memory":(\d+)/, '"memory":"$1"')];
    if (call.startsWith("POST /v1/templates"))
      return [status, text.replace(/"imageName":[^,]*,/, "")];
    if (call.startsWith("POST /v2/shop/runsync"))
      return [status, text.replace("COMPLETED", "FAILED")];
    if (call.startsWith("DELETE")) return [500, "{}"];
    if (call === "POST /graphql") return [status, text.replace('"id"', '"extra":1,"id"')];
    return [status, text];
  });
  const drifted = await run(origin, "--wait", "2");
  assert.equal(drifted.code, 6);
  assert.deepEqual(drifted.stdout.split("\n").slice(0, -1), [
    "call 1, POST /v2/shop/runsync?wait=10000",
    "  - status is FAILED instead of COMPLETED",
    "call 7, POST /v1/templates",
    "  - imageName is missing",
    "call 9, GET /v2/catalog/gpus",
    "  - gpus[].memory is string instead of number",
    "call 10, POST /graphql",
    "  + data.myself.extra is new",
    "call 11, DELETE /v1/templates/{{id:5}}",
    "  - status 500 instead of 204",
    "11 calls, 4 differences",
  ]);
  const strict = await run(origin, "--wait", "2", "--strict", "--json");
  const found = JSON.parse(strict.stdout);
  assert.deepEqual(found[3].differences[0], {
    kind: "added",
    at: "data.myself.extra",
    sentence: "data.myself.extra is new",
  });
});

test("names are bound, calls without their id are left out, and a service may be away", async (t) => {
  const file = path.join(emptyFolder(t), "a.jsonl");
  const headers = { authorization: "Bearer {{key}}" };
  const call = (method: string, place: string, status: number, json: unknown, body?: unknown) =>
    `${JSON.stringify({ method, path: place, headers, body, answer: { status, headers: {}, body: { json } } })}\n`;
  const header = '{"cassette":"freehold","version":1}\n';
  const created = call(
    "POST",
    "/v2/theirs/run",
    200,
    { id: "{{id:1}}", status: "IN_QUEUE" },
    { json: { input: {} } },
  );
  const read = call("GET", "/v2/theirs/status/{{id:1}}", 200, { id: "{{id:1}}" });
  writeFileSync(file, header + created + read);
  const service = await startService(t);
  await service.makeEndpoint({ id: "ours" });
  const against = ["diff", file, "--against", service.origin, "--key", service.key, "--wait", "0"];
  const { stdout, code } = await freehold(against);
  assert.equal(code, 6);
  assert.match(
    stdout,
    /call 1, .*\n {2}- status 404 instead of 200\ncall 2, .*\n {2}- not called: no earlier call answered \{\{id:1\}\}/,
  );

  const away = ["diff", file, "--against", "http://127.0.0.1:9", "--key", "k"];
  const unreachable = await freehold(away);
  assert.equal(unreachable.code, 4);
  assert.match(unreachable.stderr, /127\.0\.0\.1:9 does not answer/);
  const bound = await freehold([...against, "--bind", "theirs=ours"]);
  assert.doesNotMatch(bound.stdout, /404|not called/);
  const withoutKey = await freehold(["diff", file, "--against", service.origin]);
  assert.match(withoutKey.stderr, /--against needs a key: --key, FREEHOLD_KEY or RUNPOD_API_KEY/);
});
