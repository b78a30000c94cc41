// Tests of commands in a Pod over WebSockets, with and without a terminal, and of their permissions.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { WebSocket } from "ws";
import { skipReason } from "../fixtures/docker/engine.ts";
import { until } from "../fixtures/until.ts";
import { podsOf } from "../pods/fixture.ts";
import { commandAddress, openCommand } from "./command.ts";
import { type ContainerService, startContainerService } from "./container-service.ts";

const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const options = { env: { FREEHOLD_MACHINE: machine }, protocol: { endGraceMs: 500 } };
const small = { computeType: "CPU", vcpuCount: 2, volumeInGb: 0, containerDiskInGb: 1 };

async function podIn(service: ContainerService): Promise<string> {
  const body = { ...small, imageName: service.shellImage, dockerStartCmd: ["sleep", "1000"] };
  const { json } = await service.call("POST", "/v1/pods", body);
  await until(podsOf(service).reached, json.id);
  return json.id;
}

const address = (service: ContainerService, id: string, ...command: string[]) =>
  commandAddress(service.origin, id, ...command);

test("a command has input, separate outputs and an exit code; a terminal has a size", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t, options);
  const id = await podIn(service);
  const plain = await openCommand(
    address(service, id, "bash", "-c", 'read -r a; echo "got $a"; echo wrong >&2; cat; exit 3'),
    service.key,
  );
  plain.send(0, "one\ntwo\n");
  plain.send(3, '{"eof":true}');
  assert.deepEqual(await plain.closed, [1000, "exit 3"]);
  assert.deepEqual(plain.texts, { 1: "got one\ntwo\n", 2: "wrong\n", 3: '{"exitCode":3}' });

  const shell = await openCommand(
    `${address(service, id, "bash")}&tty=true&cols=100&rows=30`,
    service.key,
  );
  shell.send(3, '{"resize":{"cols":111,"rows":33}}');
  shell.send(0, "shopt -s checkwinsize; (:); echo size $LINES $COLUMNS; exit 7\n");
  assert.deepEqual(await shell.closed, [1000, "exit 7"]);
  assert.match(shell.texts[1]!, /size 33 111|size 30 100/);

  const wrong = await openCommand(address(service, id, "sleep", "600"), service.key);
  wrong.send(9, "");
  assert.equal((await wrong.closed)[0], 1002);
});

test("a closed connection ends the command, and a forbidden one is refused at the handshake", {
  skip: skipReason,
}, async (t) => {
  const service = await startContainerService(t, options);
  const id = await podIn(service);
  const [container] = service.containers();
  const left = await openCommand(address(service, id, "sleep", "777"), service.key);
  const runs = () => service.docker("top", container!).includes("sleep 777");
  await until(async () => runs() || null, id);
  left.socket.terminate();
  await until(async () => !runs() || null, id);

  const refused = async (url: string, headers: Record<string, string>) => {
    const answer = new Promise<[number, string]>((resolve) => {
      const socket = new WebSocket(url, { headers });
      socket.on("error", () => {});
      socket.once("unexpected-response", (_, response) => {
        let text = "";
        response.on("data", (piece) => {
          text += piece;
        });
        response.once("end", () => resolve([response.statusCode!, JSON.parse(text).code]));
      });
    });
    return answer;
  };
  const url = address(service, id, "true");
  const authorization = `Bearer ${service.key}`;
  const { json: reader } = await service.call("POST", "/v1/keys", {
    name: "reads",
    permissions: { rest: "read" },
  });
  assert.deepEqual(await refused(url, {}), [401, "unauthorized"]);
  assert.deepEqual(await refused(url, { authorization: reader.key }), [403, "forbidden"]);
  assert.deepEqual(await refused(url, { authorization, origin: "http://evil.test" }), [
    403,
    "forbidden",
  ]);
  assert.deepEqual(await refused(address(service, "nobody", "true"), { authorization }), [
    404,
    "pod_not_found",
  ]);
  assert.equal((await service.call("GET", `/v1/pods/${id}/exec`)).json.code, "upgrade_required");
  await service.call("POST", `/v1/pods/${id}/stop`);
  await until(podsOf(service).unreached, id);
  assert.deepEqual(await refused(url, { authorization }), [400, "pod_not_running"]);
});

test("a terminal ends when its key is disabled", { skip: skipReason }, async (t) => {
  const service = await startContainerService(t, options);
  const id = await podIn(service);
  const { json: key } = await service.call("POST", "/v1/keys", { name: "hers" });
  const [hers, ours] = [
    await openCommand(address(service, id, "sleep", "1000"), key.key),
    await openCommand(address(service, id, "cat"), service.key),
  ];
  await service.call("DELETE", `/v1/keys/${key.id}`);
  const [code, reason] = await hers.closed;
  assert.equal(code, 1008);
  assert.match(reason, /key or session/);
  ours.send(0, "still here");
  ours.send(3, '{"eof":true}');
  assert.deepEqual(await ours.closed, [1000, "exit 0"]);
  assert.equal(ours.texts[1], "still here");
});

test("the command line runs a command and exits with its code", { skip: skipReason }, async (t) => {
  const service = await startContainerService(t, options);
  const id = await podIn(service);
  const args = ["bin/freehold.mjs", "exec", id, "--data", service.dataFolder, "--"];
  const child = spawn(process.execPath, [...args, "bash", "-c", "cat; exit 5"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end("through\n");
  let printed = "";
  child.stdout.on("data", (piece) => {
    printed += piece;
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  assert.deepEqual([code, printed], [5, "through\n"]);
});
