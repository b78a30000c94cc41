// Tests of `freehold doctor` on machines with problems.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { closedSocket, whyNotWithoutRights, withoutRights } from "../fixtures/closed-socket.ts";
import { createOtherAccount } from "../fixtures/service/other-account.ts";
import { startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { freehold } from "./command.ts";

test("doctor reports no problem beside a running service", async (t) => {
  const service = await startService(t);
  const { code, stdout } = await freehold(["doctor", "--data", service.dataFolder]);
  assert.equal(code, 0, stdout);
  assert.match(stdout, new RegExp(`^ok +address +Freehold answers at ${service.origin}$`, "m"));
  assert.match(stdout, /^ok +key +the service accepts it$/m);
  assert.match(stdout, /^(ok|warn) +disk sync +[\d.]+ ms/m);
});

test("an endpoint named like a resource of REST v2 is a warning with the address of its queue", async (t) => {
  const service = await startService(t);
  const id = await service.makeEndpoint();
  await service.makeEndpoint({ id: "flash" });
  const check = async () => (await freehold(["doctor", "--data", service.dataFolder])).stdout;
  const rename = (name: string) => service.call("PATCH", `/v1/endpoints/${id}`, { name });
  await rename("pods-of-mine");
  const before = await check();
  assert.doesNotMatch(before, new RegExp(id));
  assert.match(before, /^warn +endpoint name +endpoint "flash" has an id that REST v2 reserves/m);
  await rename("Pods");
  const finding = new RegExp(
    `^warn +endpoint name +endpoint ${id} is named "Pods".*\n.*/v2/${id}`,
    "m",
  );
  assert.match(await check(), finding);
  const { status } = await service.call("GET", `/v2/${id}/health`);
  assert.equal(status, 200);
});

test("an account near its storage limit is a warning with its share and what frees room", async (t) => {
  const env = { FREEHOLD_STORAGE_PER_ACCOUNT: "0.001" };
  const service = await startService(t, { env });
  const endpoint = await service.makeEndpoint();
  const check = async () => (await freehold(["doctor", "--data", service.dataFolder])).stdout;
  assert.doesNotMatch(await check(), /^warn +storage/m);
  const input = { text: "x".repeat(900_000) };
  assert.equal((await service.call("POST", `/v2/${endpoint}/run`, { input })).status, 200);
  assert.match(
    await check(),
    /^warn +storage +account \S+ stores 9\d% of its 0.001 GB.*\n +-> .*storagePerAccount/m,
  );
});

test("an engine that stops answering is trouble of its machine for the API, doctor and why, until it answers", async (t) => {
  const socket = path.join(emptyFolder(t), "engine.sock");
  const env = { FREEHOLD_DOCKER_HOST: `unix://${socket}` };
  const service = await startService(t, { drivers: "docker", env });
  const machine = async (headers = {}) =>
    (await service.call("GET", "/v1/machines", undefined, headers)).json[0];
  const { trouble } = await until(async () => {
    const own = await machine();
    return own.trouble ? own : null;
  });
  assert.match(trouble, /^The container engine at unix:\S+ does not respond: there is no such /);
  assert.ok(!JSON.stringify(await machine(await createOtherAccount(service))).includes(socket));
  const { stdout } = await freehold(["doctor", "--data", service.dataFolder]);
  assert.match(stdout, /^warn +machine \S+ +The container engine at .*\n +-> restart its /m);
  const pod = { computeType: "CPU", imageName: "any" };
  const { json } = await service.call("POST", "/v1/pods", pod);
  assert.equal((await service.call("GET", `/v1/why/${json.id}`)).json.code, "engine_silent");
  const engine = createHttpServer((_, response) => response.end("[]")).listen(socket);
  t.after(() => engine.close().closeAllConnections());
  await until(async () => ((await machine()).trouble ? null : true));
});

test("a port that another program uses is a failure with a suggested fix", async (t) => {
  const data = emptyFolder(t);
  const other = createServer().listen(0, "127.0.0.1");
  t.after(() => other.close());
  await new Promise((resolve) => other.once("listening", resolve));
  const { port } = other.address() as { port: number };
  const { code, stdout } = await freehold(["doctor", "--data", data, "--listen", `${port}`]);
  assert.equal(code, 1);
  assert.match(stdout, new RegExp(`^fail +address +127.0.0.1:${port} is taken.*\n.*--listen`, "m"));
  // Once a service has run on the folder, it may be the one that does not answer.
  mkdirSync(data, { recursive: true });
  writeFileSync(path.join(data, "cli.key"), "fh_key\n");
  const later = await freehold(["doctor", "--data", data, "--listen", `${port}`]);
  assert.equal(later.code, 1);
  assert.match(
    later.stdout,
    /^fail +address +\S+ accepts connections and did not answer within 5 s/m,
  );
});

test("the key goes to no second address if the first one answers", async (t) => {
  const service = await startService(t);
  const requests: string[] = [];
  const other = createHttpServer((request, response) => {
    requests.push(request.url!);
    response.writeHead(200).end("{}");
  }).listen(0, "127.0.0.1");
  t.after(() => other.close());
  await new Promise((resolve) => other.once("listening", resolve));
  const { port } = other.address() as { port: number };
  const args = ["pods", "--data", service.dataFolder];
  const { code, stderr } = await freehold(args, {
    env: { FREEHOLD_LISTEN: `127.0.0.1:${port}` },
  });
  assert.equal(code, 0, stderr);
  assert.deepEqual(requests, []);
});

const bin = path.join(import.meta.dirname, "..", "..", "bin", "freehold.mjs");
test("an engine's socket that this user may not open is a warning with the group to join", {
  skip: whyNotWithoutRights(),
}, async (t) => {
  const { folder, socket } = await closedSocket(t);
  const env = { ...process.env, HOME: folder, FREEHOLD_DOCKER_HOST: `unix://${socket}` };
  const args = [bin, "doctor", "--data", path.join(folder, "data")];
  // Not spawnSync, which would keep the socket from accepting.
  const child = spawn(process.execPath, args, { ...withoutRights, env });
  const stdout = Buffer.concat(await child.stdout.toArray()).toString();
  assert.match(
    stdout,
    /^warn +containers +.*may not open the socket.*\n +-> sudo usermod .*docker/m,
  );
});

test("a data folder that is a file is a failure", async (t) => {
  const file = path.join(emptyFolder(t), "file");
  writeFileSync(file, "");
  const { code, stdout } = await freehold(["doctor", "--data", path.join(file, "data")]);
  assert.equal(code, 1);
  assert.match(stdout, /^fail +data folder +.*ENOTDIR.*\n +-> /m);
});

test("a folder that other users can read is a warning", async (t) => {
  const data = emptyFolder(t);
  chmodSync(data, 0o755);
  const { stdout } = await freehold(["doctor", "--data", data, "--listen", "127.0.0.1:0"]);
  assert.match(stdout, /^warn +data folder .*\n +-> chmod 700/m);
});

test("without Python, only the Python check fails", async (t) => {
  const args = ["doctor", "--python", "/nowhere/python3", "--listen", "127.0.0.1:0"];
  const { code, stdout } = await freehold([...args, "--data", emptyFolder(t)]);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^warn +Python +\/nowhere\/python3 does not run\n +-> /m);
});

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-doctor-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}
