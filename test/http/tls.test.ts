// Tests of TLS on every listener: requests, WebSockets, and a certificate that changes.

import assert from "node:assert/strict";
import { once } from "node:events";
import https from "node:https";
import { test } from "node:test";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { WebSocket } from "ws";
import { certificateFolder, makeCertificate } from "../fixtures/service/certificate.ts";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";

const pair = makeCertificate();

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

function call(
  url: string,
  { ca = pair.cert, headers = {}, method = "GET", body = "" } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = https.request(url, { ca, headers, method, agent: false }, (response) => {
      let text = "";
      response.on("data", (piece) => (text += piece));
      response.on("end", () =>
        resolve({ status: response.statusCode!, headers: response.headers, text }),
      );
    });
    request.on("error", reject);
    request.end(body);
  });
}

test("every listener serves TLS with the certificate of the files", async (t) => {
  const files = certificateFolder(t, pair);
  const service = await startService(t, {
    replicas: null,
    env: { FREEHOLD_TLS: files.setting, FREEHOLD_HSTS: "30", FREEHOLD_S3_LISTEN: "127.0.0.1:0" },
  });
  const { shownOrigin, proxyOrigin, s3Origin, key } = service;
  const authorization = `Bearer ${key}`;

  await t.test("links are https", () => {
    for (const origin of [shownOrigin, proxyOrigin, s3Origin]) {
      assert.match(origin!, /^https:\/\/127\.0\.0\.1:\d+$/);
    }
  });

  await t.test("requests are answered, with HSTS as asked", async () => {
    const answer = await call(`${shownOrigin}/v1/pods`, { headers: { authorization } });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers["strict-transport-security"], "max-age=2592000");
    assert.equal((await call(`${proxyOrigin}/none/80/`)).status, 404);
    assert.match((await call(`${s3Origin}/`)).text, /<Code>AccessDenied/);
  });

  await t.test("a job runs over one connection after another", async () => {
    const id = await service.makeEndpoint();
    const run = { headers: { authorization, "content-type": "application/json" }, method: "POST" };
    const answer = await call(`${shownOrigin}/v2/${id}/run`, { ...run, body: '{"input":{}}' });
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.text, /IN_QUEUE/);
  });

  await t.test("a session's cookie is Secure and of the host alone", async () => {
    const headers = { origin: shownOrigin, "content-type": "application/json" };
    const body = JSON.stringify({ key });
    const answer = await call(`${shownOrigin}/v1/session`, { headers, method: "POST", body });
    assert.equal(answer.status, 200, answer.text);
    assert.match(String(answer.headers["set-cookie"]), /^__Host-.*; Secure/);
  });

  await t.test("a WebSocket opens, and carries a command's output", async () => {
    const pod = { name: "box", imageName: "x", computeType: "CPU", vcpuCount: 2 };
    const { json } = await service.call("POST", "/v1/pods", pod);
    const { id } = json as { id: string };
    await until(async () => {
      const { json } = await service.call("GET", `/v1/pods/${id}`);
      return (json as { status?: string }).status === "RUNNING" || null;
    });
    const url = `${shownOrigin.replace("http", "ws")}/v1/pods/${id}/exec?command=echo&command=hi`;
    const socket = new WebSocket(url, ["freehold.exec.v1", `bearer.${key}`], { ca: pair.cert });
    let output = "";
    socket.on("message", (frame) => (output += frame));
    await once(socket, "close");
    assert.match(output, /hi/);
  });

  await t.test("this machine itself may speak plain http", async () => {
    assert.equal((await service.call("GET", "/v1/pods")).status, 200);
  });
});

test("a new certificate is served without a break, and TLS before 1.2 is refused", async (t) => {
  const files = certificateFolder(t, pair);
  const service = await startService(t, { replicas: null, env: { FREEHOLD_TLS: files.setting } });
  const { shownOrigin, proxyOrigin } = service;

  await t.test("a new certificate is served without a break of connections", async () => {
    const { port } = new URL(shownOrigin);
    const options = { host: "127.0.0.1", port: Number(port), ca: pair.cert };
    const open = connectTls(options);
    const next = makeCertificate();
    files.write(next);
    await until(() =>
      call(`${shownOrigin}/healthz`, { ca: next.cert }).then(
        () => true,
        () => false,
      ),
    );
    await call(`${proxyOrigin}/healthz`, { ca: next.cert });
    assert.match(await statusOn(open), /^HTTP\/1\.1 200/);
    open.destroy();
  });

  await t.test("only TLS 1.2 and later is spoken", async () => {
    const { port } = new URL(shownOrigin);
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", rejectUnauthorized: false } as const;
    const socket = connectTls({ host: "127.0.0.1", port: Number(port), ...old });
    const failure = await new Promise<string>((resolve) => {
      socket.on("error", ({ code }: NodeJS.ErrnoException) => resolve(code ?? "none"));
      socket.on("secureConnect", () => resolve("connected"));
    });
    assert.match(failure, /PROTOCOL|VERSION/);
  });
});

function statusOn(socket: TLSSocket): Promise<string> {
  return new Promise((resolve) => {
    socket.once("data", (piece) => resolve(piece.toString()));
    socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
  });
}
