// Every curl command of the documentation is sent to a fresh service as it is shown, with the key, the address and the ids
// of that service, and succeeds.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";

const ROOT = path.join(import.meta.dirname, "..", "..");

/** Pages whose commands are the output of a program, or have a test of their own. */
const OTHER_PAGES = new Set(["docs/dev.md", "docs/simulated-driver.md"]);
/** Streams that have no end. */
const FOLLOWS = /^curl -s?N /;
/** Hosts that only a Pod reaches, or that are not the service. */
const ELSEWHERE = /\$RUNPOD_API_URL|\$FREEHOLD_URL/;

interface Example {
  page: string;
  command: string;
}

function documentedExamples(): Example[] {
  const pages = readdirSync(path.join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
  return ["README.md", ...pages.sort().map((name) => `docs/${name}`)]
    .filter((page) => !OTHER_PAGES.has(page))
    .flatMap((page) => commandsOf(readFileSync(path.join(ROOT, page), "utf8"), page))
    .filter(({ command }) => !FOLLOWS.test(command) && !ELSEWHERE.test(command));
}

/** A command goes on in the lines that are indented. */
const commandsOf = (text: string, page: string): Example[] =>
  [...text.matchAll(/^```(?:sh)?\n(.*?)^```/gms)].flatMap(([, block]) =>
    [...block!.matchAll(/^curl .*\n(?:[ \t]+.*\n)*/gm)].map(([command]) => ({ page, command })),
  );

/** What the examples name: an endpoint, a job of it that timed out, a Pod, a network volume and a template. */
async function fill(service: TestService) {
  const { call } = service;
  const created = async (url: string, body: object) => {
    const answer = await call("POST", url, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.json.id as string;
  };
  const template = { imageName: "acme/imaging:1", isServerless: true, name: "imaging" };
  const templateId = await created("/v1/templates", template);
  const endpoint = await created("/v1/endpoints", { name: "imaging", templateId, workersMax: 0 });
  const job = await created(`/v2/${endpoint}/run`, { input: {}, policy: { ttl: 10_000 } });
  await advance(service, "1h");
  const pod = await created("/v1/pods", { imageName: "acme/pod:1", computeType: "CPU" });
  const volume = { name: "data", size: 10, dataCenterId: "EU-RO-1" };
  return { templateId, endpoint, job, pod, volume: await created("/v1/networkvolumes", volume) };
}

type Ids = Awaited<ReturnType<typeof fill>>;

/** The command with what this service has; `last` is the previous answer on the page. */
const concrete = (command: string, { origin, key }: TestService, ids: Ids, last: Answer) =>
  command
    .replaceAll("http://127.0.0.1:8700", origin)
    .replaceAll("fh_...", key)
    .replaceAll("fhi_...", `${last.token}`)
    .replaceAll("<id>", `${last.id}`)
    .replace(/\bENDPOINT\b/g, ids.endpoint)
    .replace(/\/JOB\//g, `/${ids.job}/`)
    .replace(/\bVOLUME\b/g, ids.volume)
    .replace('"templateId": "..."', `"templateId": "${ids.templateId}"`);

interface Answer {
  id?: string;
  token?: string;
}

/** A folder with what the examples read, and a curl that fails where the service refuses. */
function makeHome(t: TestContext): string {
  const home = mkdtempSync(path.join(tmpdir(), "freehold-examples-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(path.join(home, ".ssh"));
  writeFileSync(path.join(home, "model.bin"), "weights");
  const { stdout: curl } = spawnSync("sh", ["-c", "command -v curl"], { encoding: "utf8" });
  const script = `#!/bin/sh\nexec ${curl.trim()} --fail-with-body --show-error "$@"\n`;
  writeFileSync(path.join(home, "curl"), script, { mode: 0o755 });
  return home;
}

/** Another one for each page: an account has a key once. */
function writePublicKey(home: string): void {
  const { publicKey } = generateKeyPairSync("ed25519");
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x!, "base64url");
  const field = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  const blob = Buffer.concat([field(Buffer.from("ssh-ed25519")), field(raw)]).toString("base64");
  writeFileSync(path.join(home, ".ssh", "id_ed25519.pub"), `ssh-ed25519 ${blob} me@here`);
}

async function run(script: string, cwd: string, env: Record<string, string>) {
  const shell = spawn("bash", ["-euo", "pipefail", "-c", script], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"] as const,
  });
  const status = new Promise<number | null>((resolve) => shell.once("close", resolve));
  const [stdout, stderr] = await Promise.all(
    [shell.stdout, shell.stderr].map(async (stream) => Buffer.concat(await stream.toArray())),
  );
  return { status: await status, stdout: `${stdout}`, stderr: `${stderr}` };
}

const noCurl =
  spawnSync("curl", ["--fail-with-body", "--version"]).status === 0
    ? false
    : "no curl from 7.76 on";

test("every curl command of the documentation succeeds on a fresh service", {
  skip: noCurl,
}, async (t) => {
  const examples = documentedExamples();
  assert.ok(examples.length > 40, `${examples.length} commands`);
  const service = await startService(t, { ...virtual, drivers: "process,simulated" });
  const ids = await fill(service);
  const home = makeHome(t);
  const env = {
    HOME: home,
    PATH: `${home}:${process.env.PATH}`,
    POD: ids.pod,
    JOB: ids.job,
    KEY: service.key,
    FREEHOLD_KEY: service.key,
  };
  const refused: string[] = [];
  let last: Answer & { page?: string } = {};
  for (const { page, command } of examples) {
    if (last.page !== page) {
      last = { page };
      writePublicKey(home);
    }
    const script = concrete(command, service, ids, last);
    const { status, stdout, stderr } = await until(async () => {
      const result = await run(script, home, env);
      return /"sandbox_starting"/.test(result.stdout) ? null : result;
    });
    if (status !== 0 || /"errors": ?\[/.test(stdout))
      refused.push(`${page}: ${command}${stdout}${stderr}`);
    if (stdout.startsWith("{")) last = { ...JSON.parse(stdout), page };
  }
  assert.deepEqual(refused, []);
});
