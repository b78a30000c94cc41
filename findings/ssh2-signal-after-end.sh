#!/bin/sh
# Version: ssh2 1.17.0 (npm), Node 20 or later
# Guessed: a client may send a signal to a program whose standard input has ended; RFC 4254 (5.3, 6.9) closes only the data
# of one direction with an end of file, and ssh2 documents `signal(name)` without such a condition.
# Really: once the channel's input has ended, `channel.signal()` sends nothing and says nothing: it returns as it does when
# the signal was sent, and the server gets no request. Before the end the same call reaches the server.
#   input open: the server got TERM
#   input ended: the server got nothing
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit --no-optional ssh2@1.17.0 >&2
cat > signals.mjs <<'END'
import { once } from "node:events";
import ssh2 from "ssh2";

const { private: hostKey } = ssh2.utils.generateKeyPairSync("ed25519");
let received = "nothing";
let noteEnd = () => {};
const server = new ssh2.Server({ hostKeys: [hostKey] }, (connection) => {
  connection.on("authentication", (attempt) => attempt.accept());
  connection.on("session", (accept) => {
    const session = accept();
    session.on("signal", (accept, reject, { name }) => (received = name));
    session.on("exec", (accept) => {
      const channel = accept();
      channel.on("end", () => noteEnd()).resume();
      channel.write("started");
    });
  });
}).listen(0, "127.0.0.1");
await once(server, "listening");
const client = new ssh2.Client();
client.connect({ host: "127.0.0.1", port: server.address().port, username: "me", password: "x" });
await once(client, "ready");
const open = () =>
  new Promise((resolve, reject) =>
    client.exec("sleep 60", (error, channel) => (error ? reject(error) : resolve(channel))),
  );
for (const isEnded of [false, true]) {
  received = "nothing";
  const inputEnd = new Promise((resolve) => (noteEnd = resolve));
  const channel = await open();
  await once(channel, "data");
  if (isEnded) {
    channel.end();
    await inputEnd;
  }
  channel.signal("TERM");
  // The server answers another command only after the requests that were sent before it.
  const next = await open();
  await once(next, "data");
  console.log(`input ${isEnded ? "ended" : "open"}: the server got ${received}`);
}
client.end();
server.close();
process.exit(0);
END
node signals.mjs | tee output
cat > expected <<'END'
input open: the server got TERM
input ended: the server got nothing
END
cmp output expected
