// Commands in a Pod over WebSockets: with a terminal and without, and who may not.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { WebSocket } from "ws";
import { missing } from "../../src/drivers/docker/engine.testing.ts";
import { podsOf, until } from "../pods/stage.ts";
import { type ContainerHouse, startContainerHouse } from "./container-house.ts";

const machine = JSON.stringify({ vcpus: 16, memoryInGb: 64, diskInGb: 500 });
const options = { env: { FREEHOLD_MACHINE: machine }, protocol: { endGraceMs: 500 } };
const small = { computeType: "CPU", vcpuCount: 2, volumeInGb: 0, containerDiskInGb: 1 };

async function podIn(house: ContainerHouse): Promise<string> {
  const body = { ...small, imageName: house.shellImage, dockerStartCmd: ["sleep", "1000"] };
  const { json } = await house.call("POST", "/v1/pods", body);
  await until(podsOf(house).reached, json.id);
  return json.id;
}

interface Opened {
  socket: WebSocket;
  /** By the kind of their frames. */
  texts: Record<number, string>;
  closed: Promise<[code: number, reason: string]>;
  send(kind: number, text: string): void;
}

const address = (house: ContainerHouse, id: string, ...command: string[]) =>
  `${house.origin.replace("http", "ws")}/v1/pods/${id}/exec?${command.map((each) => `command=${encodeURIComponent(each)}`).join("&")}`;

async function open(url: string, key: string): Promise<Opened> {
  const socket = new WebSocket(url, ["freehold.exec.v1", `bearer.${key}`]);
  const texts: Opened["texts"] = { 1: "", 2: "", 3: "" };
  socket.on("message", (data) => {
    const frame = data as Buffer;
    texts[frame[0]!] += frame.subarray(1).toString();
  });
  const closed = new Promise<[number, string]>((resolve) => {
    socket.once("close", (code, reason) => resolve([code, reason.toString()]));
  });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  assert.equal(socket.protocol, "freehold.exec.v1");
  const send = (kind: number, text: string) =>
    socket.send(Buffer.concat([Buffer.of(kind), Buffer.from(text)]));
  return { socket, texts, closed, send };
}

test("a command has its input, its outputs apart, and its exit code; a terminal has its size", {
  skip: missing,
}, async (t) => {
  const house = await startContainerHouse(t, options);
  const id = await podIn(house);
  const plain = await open(
    address(house, id, "bash", "-c", 'read -r a; echo "got $a"; echo wrong >&2; cat; exit 3'),
    house.key,
  );
  plain.send(0, "one\ntwo\n");
  plain.send(3, '{"eof":true}');
  assert.deepEqual(await plain.closed, [1000, "exit 3"]);
  assert.deepEqual(plain.texts, { 1: "got one\ntwo\n", 2: "wrong\n", 3: '{"exitCode":3}' });

  const shell = await open(`${address(house, id, "bash")}&tty=true&cols=100&rows=30`, house.key);
  shell.send(3, '{"resize":{"cols":111,"rows":33}}');
  shell.send(0, "shopt -s checkwinsize; (:); echo size $LINES $COLUMNS; exit 7\n");
  assert.deepEqual(await shell.closed, [1000, "exit 7"]);
  assert.match(shell.texts[1]!, /size 33 111|size 30 100/);

  const wrong = await open(address(house, id, "sleep", "600"), house.key);
  wrong.send(9, "");
  assert.equal((await wrong.closed)[0], 1002);
});

test("who goes ends the command, and who may not is told so at the handshake", {
  skip: missing,
}, async (t) => {
  const house = await startContainerHouse(t, options);
  const id = await podIn(house);
  const [container] = house.containers();
  const left = await open(address(house, id, "sleep", "777"), house.key);
  const runs = () => house.docker("top", container!).includes("sleep 777");
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
  const url = address(house, id, "true");
  const authorization = `Bearer ${house.key}`;
  const { json: reader } = await house.call("POST", "/v1/keys", {
    name: "reads",
    permissions: { rest: "read" },
  });
  assert.deepEqual(await refused(url, {}), [401, "unauthorized"]);
  assert.deepEqual(await refused(url, { authorization: reader.key }), [403, "forbidden"]);
  assert.deepEqual(await refused(url, { authorization, origin: "http://evil.test" }), [
    403,
    "forbidden",
  ]);
  assert.deepEqual(await refused(address(house, "nobody", "true"), { authorization }), [
    404,
    "pod_not_found",
  ]);
  assert.equal((await house.call("GET", `/v1/pods/${id}/exec`)).json.code, "upgrade_required");
  await house.call("POST", `/v1/pods/${id}/stop`);
  await until(podsOf(house).unreached, id);
  assert.deepEqual(await refused(url, { authorization }), [400, "pod_not_running"]);
});

test("the command line runs a command, and ends as it ended", { skip: missing }, async (t) => {
  const house = await startContainerHouse(t, options);
  const id = await podIn(house);
  const args = ["bin/freehold.mjs", "exec", id, "--data", house.dataFolder, "--"];
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
