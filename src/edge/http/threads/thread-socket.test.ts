import assert from "node:assert/strict";
import { test } from "node:test";
import { yieldToEventLoop } from "../../../base/clock.ts";
import { type FrameKind, FrameWriter, frame, readFrames } from "./frames.ts";
import { ThreadSocket } from "./thread-socket.ts";

const NOTHING = Buffer.alloc(0);

function open() {
  const sent: { kind: FrameKind; bytes: number }[] = [];
  const post = (message: ArrayBuffer) =>
    readFrames(message, (_, kind, { length }) => sent.push({ kind, bytes: length }));
  const connection = { listener: 1, remoteAddress: "127.0.0.1", remotePort: 1 };
  // Each frame in a message of its own, at once.
  const socket = new ThreadSocket(1, connection, new FrameWriter(post, queueMicrotask));
  const kinds = async () => {
    await yieldToEventLoop();
    return sent.splice(0).map(({ kind }) => kind);
  };
  return { socket, sent, kinds };
}

test("a client that does not read gets 64 kB, and then what it has made room for", async () => {
  const { socket, sent } = open();
  const piece = Buffer.alloc(1_024);
  let hasRoom = true;
  for (let n = 0; n < 200; n++) hasRoom = socket.write(piece);
  await yieldToEventLoop();
  assert.equal(hasRoom, false);
  assert.deepEqual(
    sent.splice(0).map(({ kind, bytes }) => `${kind} ${bytes}`),
    [...new Array(64).fill(`${frame.data} 1024`), `${frame.trackedData} 1024`],
  );
  const drained = new Promise((resolve) => socket.once("drain", resolve));
  socket.receive(frame.sent, NOTHING);
  await yieldToEventLoop();
  assert.deepEqual(sent.splice(0), [{ kind: frame.trackedData, bytes: 135 * 1_024 }]);
  socket.receive(frame.sent, NOTHING);
  await drained;
  socket.write(piece);
  await yieldToEventLoop();
  assert.deepEqual(sent, [{ kind: frame.data, bytes: 1_024 }]);
});

test("a small piece does not pass a large one", async () => {
  const { socket, kinds } = open();
  socket.write(Buffer.alloc(20_000));
  socket.write("after");
  assert.deepEqual(await kinds(), [frame.trackedData]);
  socket.receive(frame.sent, NOTHING);
  assert.deepEqual(await kinds(), [frame.trackedData]);
});

test("what is written is sent before the connection is closed", async () => {
  const { socket, kinds } = open();
  socket.write("answer");
  socket.destroySoon();
  assert.deepEqual(await kinds(), [frame.data, frame.end, frame.closeAfterData]);
});

test("a reader that pauses takes no more than a thread may be ahead", async () => {
  const { socket, kinds } = open();
  const piece = Buffer.alloc(65_536);
  for (let n = 0; n < 5; n++) socket.receive(frame.data, piece);
  assert.deepEqual(await kinds(), []);
  let read = 0;
  socket.on("data", ({ length }: Buffer) => {
    read += length;
  });
  assert.deepEqual(await kinds(), [frame.taken]);
  assert.equal(read, 5 * 65_536);
});

test("a connection that the client has closed is not closed again", async () => {
  const { socket, kinds } = open();
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.receive(frame.close, NOTHING);
  await closed;
  assert.deepEqual(await kinds(), []);
});
