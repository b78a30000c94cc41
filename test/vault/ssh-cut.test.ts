// An SSH connection whose client does not close it.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { Duplex } from "node:stream";
import { test } from "node:test";
import ssh2 from "ssh2";
import { addCleanup } from "../fixtures/cleanup.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const POD = { imageName: "i", computeType: "CPU", driver: "simulated" };

test("a client whose key was deleted sends no more input, also if it ignores the end", async (t) => {
  const service = await simulatedService(t);
  const { public: publicKey, private: privateKey } = ssh2.utils.generateKeyPairSync("ed25519");
  const { json: key } = await service.call("POST", "/v1/ssh-keys", { publicKey });
  const pod = (await service.call("POST", "/v1/pods", POD)).json.id as string;
  await until(podsOf(service).reached, pod);

  const socket = connect({
    port: service.sshAddress!.port,
    host: "127.0.0.1",
    allowHalfOpen: true,
  });
  addCleanup(t, () => void socket.destroy());
  socket.on("error", () => {}); // a close event follows
  let isDeaf = false;
  const deaf = new Duplex({
    read() {},
    write: (chunk, encoding, callback) => void socket.write(chunk, encoding, () => callback()),
  });
  socket.on("data", (bytes) => {
    if (!isDeaf) deaf.push(bytes);
  });
  const client = new ssh2.Client();
  client.on("error", () => {});
  const shell = await new Promise<ssh2.ClientChannel>((resolve, reject) => {
    client.on("ready", () =>
      client.shell((error, channel) => (error ? reject(error) : resolve(channel))),
    );
    client.connect({ sock: deaf, username: pod, privateKey, readyTimeout: 600_000 });
  });

  isDeaf = true;
  assert.equal((await service.call("DELETE", `/v1/ssh-keys/${key.id}`)).status, 204);
  await until(() => {
    shell.write("\n");
    return socket.destroyed || null;
  });
});
