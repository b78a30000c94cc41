// A service for a team and a colleague on another computer, who has only the link of an invitation.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { addCleanup } from "../fixtures/cleanup.ts";
import { certificateFolder, makeCertificate } from "../fixtures/service/certificate.ts";
import { COMMAND } from "../fixtures/service/command-file.ts";
import { until } from "../fixtures/until.ts";
import {
  COLLEAGUE_ADDRESS,
  type Network,
  openNetwork,
  runOn,
  SERVER_ADDRESS,
  whyNoNamespaces,
} from "./namespaces.ts";

const COLLEAGUE = path.join(import.meta.dirname, "colleague.ts");
const ORIGIN = `http://${SERVER_ADDRESS}:8700`;
const OWN_NAMES = /localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]/;

interface Computer {
  folder: string;
  /** What the first screen says. */
  screen: string;
  freehold(...args: string[]): ReturnType<typeof runOn>;
}

/** Starts in an empty folder, as docs/team.md says. */
async function startServer(
  t: TestContext,
  { server }: Network,
  flags = ["--team"],
): Promise<Computer> {
  const folder = emptyFolder(t);
  const env = { ...process.env, FREEHOLD_WEBHOOK_ALLOW: COLLEAGUE_ADDRESS };
  const words = [process.execPath, COMMAND, "up", "--drivers", "simulated", ...flags];
  const [program, ...args] = [...server, ...words];
  const child = spawn(program!, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  addCleanup(t, () => stop(child));
  let screen = "";
  let errors = "";
  child.stdout.on("data", (piece) => (screen += piece));
  child.stderr.on("data", (piece) => (errors += piece));
  await until(() => screen.includes("clients:") || child.exitCode !== null);
  assert.equal(child.exitCode, null, errors);
  const freehold = (...each: string[]) =>
    runOn(server, [process.execPath, COMMAND, ...each], { cwd: folder });
  return { folder, screen, freehold };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-team-"));
  addCleanup(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function runSsh(
  { colleague }: Network,
  key: string,
  { host, port, username }: { host: string; port: number; username: string },
): ReturnType<typeof runOn> {
  const options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "BatchMode=yes"];
  const ssh = ["ssh", "-F", "/dev/null", "-i", key, "-p", `${port}`];
  const target = [...options.flatMap((each) => ["-o", each]), `${username}@${host}`, "echo here"];
  return runOn(colleague, [...ssh, ...target]);
}

async function statusFrom(computer: string[], words: string[]): Promise<string> {
  const curl = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}"];
  return (await runOn(computer, [...curl, ...words])).stdout;
}

/** What the colleague sees, who has an SSH key in this file. */
async function join(network: Network, server: Computer, key: string) {
  const invitation = await server.freehold("invite", "ada@example.org", "--quiet");
  const link = invitation.stdout.trim();
  assert.ok(link.startsWith(`${ORIGIN}/invitation#token=`), invitation.stderr || link);
  await runOn([], ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key]);
  const publicKey = readFileSync(`${key}.pub`, "utf8").trim();
  const words = [process.execPath, COLLEAGUE, link, publicKey, COLLEAGUE_ADDRESS];
  const { code, stdout, stderr } = await runOn(network.colleague, words);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

test("a colleague on another computer works with nothing but the link", {
  skip: whyNoNamespaces(),
}, async (t) => {
  const network = openNetwork(t);
  const server = await startServer(t, network);
  const others = server.screen.split("from other computers:")[1]!.split("\n\n")[0]!;
  assert.doesNotMatch(others, OWN_NAMES);
  const key = path.join(emptyFolder(t), "key");
  const report = await join(network, server, key);

  await t.test("the invitation's page opens, and the person signs in", () => {
    assert.match(report.page, /^text\/html/);
    assert.equal(report.member.role, "dev");
    assert.equal(report.session.role, "dev");
    assert.match(report.cookie, /HttpOnly; SameSite=Strict/);
  });

  await t.test("no answer names an address that leads the colleague nowhere", () => {
    assert.ok(report.texts.length > 10);
    assert.deepEqual(
      report.texts.filter((text: string) => OWN_NAMES.test(text)),
      [],
    );
  });

  await t.test("a Pod's page opens by path", () => {
    const { url, id, page } = report.pod;
    assert.equal(url, `http://${SERVER_ADDRESS}:8701/${id}/8888/`);
    assert.match(page, /simulated/);
  });

  await t.test("a load-balancing endpoint has an address by path", () => {
    assert.ok(report.address.includes(`http://${SERVER_ADDRESS}:8701/lb/`), report.address);
  });

  await t.test("SSH knows the colleague's key", async () => {
    assert.equal(report.pod.ssh.host, SERVER_ADDRESS);
    const answer = await runSsh(network, key, report.pod.ssh);
    assert.equal(answer.stdout, "here\n", answer.stderr);
  });

  await t.test("S3 keeps a file", () => {
    assert.equal(report.session.s3Url, `http://${SERVER_ADDRESS}:8702`);
    assert.deepEqual(report.file, { put: 200, text: "kept" });
  });

  await t.test("a webhook comes to the colleague's computer", () => {
    assert.equal(report.webhook, "/done");
  });

  await t.test(
    "the session's cookie is refused from another computer, such as a Pod's",
    async () => {
      const [cookie] = report.cookie.split(";");
      const words = ["-H", `cookie: ${cookie}`, `${ORIGIN}/v1/session`];
      assert.equal(await statusFrom(network.colleague, words), "200");
      assert.equal(await statusFrom(network.server, words), "401");
    },
  );

  await t.test("without a key there is nothing that loopback alone had made safe", async () => {
    assert.deepEqual(report.withoutKey, { metrics: 401, pods: 401 });
    const own = await statusFrom(network.server, ["http://127.0.0.1:8700/metrics"]);
    assert.equal(own, "401");
  });
});

test("doctor finds a team's addresses reachable, and names the ports that a firewall closes", {
  skip: whyNoNamespaces(),
}, async (t) => {
  const network = openNetwork(t);
  const server = await startServer(t, network);
  const { stdout: before } = await server.freehold("doctor");
  for (const name of ["console", "Pods", "SSH", "S3"]) {
    assert.match(before, new RegExp(`^ok +reach ${name} +.*${SERVER_ADDRESS}.* answers$`, "m"));
  }
  assert.match(before, /^ok +firewall +.* 8700, 8701, 8702, 8703$/m);
  const close = ["iptables", "-A", "INPUT", "-i", "eth0", "-p", "tcp", "--dport", "8702:8703"];
  await runOn(network.server, [...close, "-j", "DROP"]);
  const { code, stdout } = await server.freehold("doctor");
  assert.equal(code, 1);
  const fix = "sudo iptables -I INPUT -p tcp --dport 8702:8703 -j ACCEPT";
  assert.match(stdout, new RegExp(`^fail +firewall +.* 8702, 8703\n +-> ${fix}$`, "m"));
  await runOn(network.server, fix.split(" ").slice(1));
  assert.match((await server.freehold("doctor")).stdout, /^ok +firewall /m);
});

test("doctor names what others do not reach of a service that only listens, and the DNS record", {
  skip: whyNoNamespaces(),
}, async (t) => {
  const network = openNetwork(t);
  const flags = ["--listen", "0.0.0.0:8700", "--proxy-domain", "pods.invalid"];
  const server = await startServer(t, network, flags);
  const hints = server.screen.split("from other computers:")[1]!;
  assert.match(hints, /SSH +not reachable: it is off; open it with --ssh-listen 0\.0\.0\.0:8703/);
  const { code, stdout } = await server.freehold("doctor");
  assert.equal(code, 1);
  assert.match(stdout, /^ok +reach console /m);
  assert.match(stdout, /^warn +reach SSH +.*: it is off\n +-> .*--ssh-listen 0\.0\.0\.0:8703$/m);
  assert.match(stdout, /^warn +reach S3 +.*: it listens on 127\.0\.0\.1\n +-> .*--s3-listen/m);
  const record = `add the DNS record \\*.pods.invalid A ${SERVER_ADDRESS}`;
  assert.match(stdout, new RegExp(`^fail +reach Pods +.* leads nowhere\n +-> ${record}$`, "m"));
});

test("with TLS, another computer reaches every listener by https, and plain http leads there", {
  skip: whyNoNamespaces(),
}, async (t) => {
  const network = openNetwork(t);
  const pair = makeCertificate({ names: ["gpu.lan", SERVER_ADDRESS] });
  const files = certificateFolder(t, pair);
  const server = await startServer(t, network, ["--team", "--tls", files.setting]);
  assert.match(server.screen, new RegExp(`^ *console +https://${SERVER_ADDRESS}:8700/`, "m"));
  const others = server.screen.split("from other computers:")[1]!.split("\n\n")[0]!;
  assert.doesNotMatch(others, /http:/);
  const { stdout: link } = await server.freehold("invite", "ada@example.org", "--quiet");
  assert.ok(link.startsWith(`https://${SERVER_ADDRESS}:8700/invitation#token=`), link);

  const trusting = ["--cacert", files.certificate];
  const ports: [number, string][] = [
    [8700, "200"],
    [8701, "404"],
    [8702, "403"],
  ];
  for (const [port, status] of ports) {
    const url = `//${SERVER_ADDRESS}:${port}/healthz`;
    assert.equal(await statusFrom(network.colleague, [...trusting, `https:${url}`]), status);
    assert.equal(await statusFrom(network.colleague, [`http:${url}`]), "308");
    assert.equal(await statusFrom(network.colleague, ["-L", ...trusting, `http:${url}`]), status);
  }
  const key = ["-H", "authorization: fh_key", `http://${SERVER_ADDRESS}:8700/v1/pods`];
  assert.equal(await statusFrom(network.colleague, key), "400");

  const { stdout } = await server.freehold("doctor");
  assert.match(stdout, /^ok +TLS +.*cert\.pem is valid until .*, for 89 days$/m);
  assert.match(stdout, /^warn +reach console +.* does not trust: \w*SELF_SIGNED/m);
  files.write(makeCertificate({ days: 3 }));
  const { stdout: late } = await server.freehold("doctor");
  assert.match(late, /^warn +TLS +.*, for 2 days\n +-> renew it/m);
  files.write({ key: makeCertificate().key });
  const { stdout: wrong } = await server.freehold("doctor");
  assert.match(wrong, /^fail +TLS +.*key\.pem is not the key of /m);
  assert.equal(
    await statusFrom(network.colleague, ["-k", `https://${SERVER_ADDRESS}:8700/healthz`]),
    "200",
  );
});
