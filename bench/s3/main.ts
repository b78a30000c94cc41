// npm run bench:s3 [-- --mb 1024 --runs 3]: one object in and out over S3, beside versitygw on a folder of the same disk,
// in one run; and a list of 100,000 keys. Go builds versitygw at the first run.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { systemTicks } from "../../src/base/clock.ts";
import { canonicalRequest } from "../../src/domain/s3/canonical-request.ts";
import { Signer } from "../../src/domain/s3/signature.ts";
import { freePort } from "../../test/fixtures/free-port.ts";
import { buildGoProgram } from "../../test/fixtures/programs/go-program.ts";
import { Service } from "../../test/fixtures/service/service-process.ts";
import { until } from "../../test/fixtures/until.ts";
import { describeMachine } from "../jobs/host/machine.ts";
import { markdownTable } from "../jobs/report/table.ts";

const { values: options } = parseArgs({
  options: {
    mb: { type: "string", default: "1024" },
    runs: { type: "string", default: "3" },
  },
});
const BYTES = Number(options.mb) * 2 ** 20;
const KEYS = 100_000;
const CHUNK = Buffer.alloc(2 ** 20, "freehold");

interface Target {
  name: string;
  url: string;
  bucket: string;
  id: string;
  secret: string;
}

/** Sends a signed request and discards what comes back; returns the start of the reply. */
function call(target: Target, method: string, key: string, bytes = 0): Promise<string> {
  const url = new URL(target.url);
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const scope = { date: time.slice(0, 8), region: "us-east-1" };
  const payloadHash = "UNSIGNED-PAYLOAD";
  const headers = { host: url.host, "x-amz-content-sha256": payloadHash, "x-amz-date": time };
  const signedHeaders = Object.keys(headers).sort();
  const [rawPath = "", query = ""] = `/${target.bucket}/${key}`.split("?");
  const rawHeaders = Object.entries(headers).flat();
  const form = { method, path: rawPath, query, rawHeaders, signedHeaders, payloadHash };
  const signature = new Signer(target.secret, scope, time).ofRequest(canonicalRequest(form));
  const credential = `${target.id}/${scope.date}/us-east-1/s3/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${signedHeaders.join(";")}, Signature=${signature}`;
  return new Promise((resolve, reject) => {
    const address = {
      host: url.hostname,
      port: url.port,
      method,
      path: `/${target.bucket}/${key}`,
    };
    const sent = request(
      { ...address, headers: { ...headers, authorization, "content-length": bytes } },
      async (response) => {
        let text = "";
        for await (const chunk of response) if (text.length < 1e6) text += chunk.toString("latin1");
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${target.name}: ${response.statusCode} ${text.slice(0, 300)}`));
      },
    );
    sent.on("error", reject);
    sendBytes(sent, bytes);
  });
}

function sendBytes(sent: ReturnType<typeof request>, bytes: number): void {
  let left = bytes;
  const write = () => {
    while (left > 0) {
      const piece = CHUNK.subarray(0, Math.min(left, CHUNK.length));
      left -= piece.length;
      if (!sent.write(piece)) return void sent.once("drain", write);
    }
    sent.end();
  };
  write();
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = systemTicks();
  await work();
  return (systemTicks() - began) / 1_000;
}

const gateway = buildGoProgram({
  name: "versitygw",
  module: path.join(import.meta.dirname, "versitygw"),
  package: "github.com/versity/versitygw/cmd/versitygw",
});
if ("problem" in gateway) throw new Error(gateway.problem);
const peerProgram = gateway.path;

const folder = mkdtempSync(path.join(tmpdir(), "freehold-bench-s3-"));
const data = path.join(folder, "data");
const s3Listen = `127.0.0.1:${await freePort()}`;
const service = new Service({
  dataFolder: data,
  port: await freePort(),
  flags: ["--drivers", "simulated", "--proxy-listen", "off", "--s3-listen", s3Listen],
});
if (!(await service.ready())) throw new Error(service.stderr);

async function freehold(): Promise<Target> {
  const key = readFileSync(path.join(data, "cli.key"), "utf8").trim();
  const post = async (route: string, body: object) => {
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
    };
    const options = { method: "POST", headers, body: JSON.stringify(body) };
    return (await fetch(service.origin + route, options)).json() as Promise<Record<string, string>>;
  };
  const wanted = { name: "bench", size: 100, dataCenterId: "EU-RO-1" };
  const { id: bucket = "" } = await post("/v1/networkvolumes", wanted);
  const { id = "", secret = "" } = await post("/v1/s3-keys", { name: "bench" });
  return { name: "Freehold", url: `http://${s3Listen}`, bucket, id, secret };
}

async function versitygw(): Promise<{ target: Target; child: ChildProcess }> {
  const port = await freePort();
  mkdirSync(path.join(folder, "peer", "bench"), { recursive: true });
  const args = ["--access", "bench", "--secret", "benchbench", "--port", `127.0.0.1:${port}`];
  const child = spawn(peerProgram, [...args, "--quiet", "posix", path.join(folder, "peer")]);
  const url = `http://127.0.0.1:${port}`;
  await until(
    () =>
      fetch(url).then(
        () => true,
        () => null,
      ),
    "",
  );
  const credentials = { id: "bench", secret: "benchbench" };
  return { target: { name: "versitygw", url, bucket: "bench", ...credentials }, child };
}

/** Megabytes per second, in and out; the best run of each, in turns. */
async function transfer(targets: Target[]): Promise<Map<string, { into: number; out: number }>> {
  const best = new Map(targets.map(({ name }) => [name, { into: 0, out: 0 }]));
  for (let n = 0; n < Number(options.runs); n++) {
    for (const target of targets) {
      const rates = best.get(target.name)!;
      const mb = BYTES / 1e6;
      rates.into = Math.max(
        rates.into,
        mb / (await seconds(() => call(target, "PUT", "big", BYTES))),
      );
      rates.out = Math.max(rates.out, mb / (await seconds(() => call(target, "GET", "big"))));
    }
  }
  return best;
}

async function list(target: Target, files: string): Promise<number> {
  mkdirSync(path.join(files, "many"));
  for (let n = 0; n < KEYS; n++) writeFileSync(path.join(files, "many", `k${n}`), "");
  return seconds(async () => {
    for (let token = ""; ; ) {
      const next = token && `continuation-token=${token}&`;
      const page = await call(target, "GET", `?${next}list-type=2&prefix=many%2F`);
      token = /<NextContinuationToken>([^<]+)/.exec(page)?.[1] ?? "";
      if (token === "") return;
    }
  });
}

const own = await freehold();
const peer = await versitygw();
try {
  const rates = await transfer([own, peer.target]);
  const listed = await list(own, path.join(data, "volumes", `network-${own.bucket}`, "data"));
  const rows = [...rates].map(([name, { into, out }]) => [name, into.toFixed(0), out.toFixed(0)]);
  const [a, b] = [rates.get(own.name)!, rates.get(peer.target.name)!];
  rows.push(["ratio (goal 0.6)", (a.into / b.into).toFixed(2), (a.out / b.out).toFixed(2)]);
  const report = [
    `${describeMachine().join("; ")}; load ${loadavg()[0]!.toFixed(1)}`,
    `One object of ${options.mb} MiB, the best of ${options.runs} runs:`,
    markdownTable(["server", "in, MB/s", "out, MB/s"], rows),
    `A list of ${KEYS} keys in one folder: ${listed.toFixed(2)} s (goal 2 s).`,
  ].join("\n\n");
  process.stdout.write(`${report}\n`);
  const page = path.join(import.meta.dirname, "..", "results", "s3.md");
  writeFileSync(page, `# S3\n\nWritten by \`npm run bench:s3\`.\n\n${report}\n`);
} finally {
  peer.child.kill();
  await service.end();
  rmSync(folder, { recursive: true, force: true });
}
