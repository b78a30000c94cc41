// The algorithms of SSH keys: RSA keys sign by RFC 8332, also with clients that compare the server's words.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import ssh2 from "ssh2";
import { noClient, run } from "../docker/ssh-client.ts";
import { addCleanup } from "../fixtures/cleanup.ts";
import { goProgram } from "../fixtures/programs/go-program.ts";
import { startService } from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";

/** Built with the SSH client of Go of April 2022. */
const CLIENT = {
  name: "ssh-client",
  module: path.join(import.meta.dirname, "ssh-client"),
  package: ".",
};
const POD = { driver: "simulated", imageName: "i", computeType: "CPU" };

async function podWithRsaKey(t: TestContext) {
  const service = await startService(t, virtual);
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-rsa-"));
  addCleanup(t, () => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "id_rsa");
  spawnSync("ssh-keygen", ["-q", "-t", "rsa", "-b", "2048", "-m", "PEM", "-N", "", "-f", file]);
  const publicKey = readFileSync(`${file}.pub`, "utf8").trim();
  const added = await service.call("POST", "/v1/ssh-keys", { publicKey });
  assert.ok(added.json.id, added.text);
  const { json } = await service.call("POST", "/v1/pods", POD);
  const { port } = service.sshAddress!;
  return { service, file, port, pod: json.id as string };
}

test("an RSA key opens a Pod with SHA-2 for a client of Go, and not with SHA-1", {
  skip: noClient,
}, async (t) => {
  const program = goProgram(t, CLIENT);
  if (program === null) return;
  const { service, file, port, pod } = await podWithRsaKey(t);
  const go = (...more: string[]) => run(program, [`127.0.0.1:${port}`, pod, file, ...more]);
  const authenticated = "authenticated with rsa-sha2-256\n";
  assert.deepEqual(await go(), { code: 0, stdout: authenticated, stderr: "" });
  assert.deepEqual(
    await run(program, [`127.0.0.1:${port}`, pod, file, "cat; echo no >&2; exit 7"], "in\n"),
    {
      code: 7,
      stdout: `${authenticated}in\n`,
      stderr: "no\n",
    },
  );
  assert.match((await go("sha1")).stdout, /unable to authenticate/);
  assert.equal(await listedAlgorithms({ port, pod, file }), ALGORITHMS);

  // A connection that sends nothing is cut; one that is authenticated stays.
  const silent = connect(port, "127.0.0.1");
  silent.on("error", () => {});
  const closed = new Promise((resolve) => silent.once("close", resolve));
  await new Promise((resolve) => silent.once("connect", resolve));
  const idle = await openConnection({ port, pod, file });
  await advance(service, "31s");
  silent.resume();
  await closed;
  const forwarded = await new Promise<Error | undefined>((resolve) =>
    idle.forwardOut("127.0.0.1", 1, "192.0.2.1", 1, resolve),
  );
  assert.match(String(forwarded?.message), /open failure/i, "it is still served");
  idle.end();
});

interface Target {
  port: number;
  pod: string;
  file: string;
}

const ALGORITHMS =
  "ssh-ed25519,ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,ecdsa-sha2-nistp521,rsa-sha2-512,rsa-sha2-256";

function openConnection({ port, pod, file }: Target): Promise<ssh2.Client> {
  const client = new ssh2.Client();
  return new Promise((resolve, reject) => {
    client.once("ready", () => resolve(client)).once("error", reject);
    client.connect({ host: "127.0.0.1", port, username: pod, privateKey: readFileSync(file) });
  });
}

/** The library does not tell its user the list. */
async function listedAlgorithms(target: Target): Promise<string> {
  const { prototype } = ssh2.Client as unknown as { prototype: { connect(options: object): void } };
  const { connect: original } = prototype;
  let algorithms: string[] = [];
  prototype.connect = function (this: Handlers, options: object) {
    original.call(this, options);
    const { _handlers: handlers } = this._protocol;
    const inner = handlers.EXT_INFO!;
    handlers.EXT_INFO = (protocol, extensions) => {
      algorithms = extensions.flatMap(({ algs }) => algs);
      inner(protocol, extensions);
    };
  };
  try {
    (await openConnection(target)).end();
  } finally {
    prototype.connect = original;
  }
  return algorithms.join();
}

interface Handlers {
  _protocol: {
    _handlers: Record<
      string,
      (protocol: unknown, extensions: { name: string; algs: string[] }[]) => void
    >;
  };
}
