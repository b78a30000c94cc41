import assert from "node:assert/strict";
import { test } from "node:test";
import { yieldToEventLoop } from "../../../base/clock.ts";
import { type FrameKind, FrameWriter, frame, readFrames } from "./frames.ts";

type Added = [id: number, kind: FrameKind, piece?: Buffer | string, encoding?: BufferEncoding];

/** The frames that arrive for those that are added, message by message. */
async function carried(...passes: Added[][]): Promise<[number, FrameKind, string][][]> {
  const messages: [number, FrameKind, string][][] = [];
  const writer = new FrameWriter((message) => {
    const frames: [number, FrameKind, string][] = [];
    readFrames(message, (id, kind, bytes) => frames.push([id, kind, bytes.toString("hex")]));
    messages.push(frames);
  });
  for (const frames of passes) {
    for (const each of frames) writer.add(...each);
    await yieldToEventLoop();
  }
  return messages;
}

test("the frames of a pass arrive in order, in one message", async () => {
  const first: Added[] = [
    [1, frame.opened, "{}"],
    [2 ** 32 - 1, frame.data, Buffer.from([0, 255])],
    [1, frame.end],
  ];
  const second: Added[] = [
    [1, frame.data, "é", "latin1"],
    [1, frame.data, "é", "utf8"],
  ];
  assert.deepEqual(await carried(first, second), [
    [
      [1, frame.opened, "7b7d"],
      [2 ** 32 - 1, frame.data, "00ff"],
      [1, frame.end, ""],
    ],
    [
      [1, frame.data, "e9"],
      [1, frame.data, "c3a9"],
    ],
  ]);
});

test("frames beyond the first size of the buffer arrive whole", async () => {
  const large = Buffer.alloc(3_000_000, "ab");
  const frames: Added[] = [
    [1, frame.data, "before"],
    [2, frame.trackedData, large],
    [3, frame.data, "after"],
  ];
  const [message] = await carried(frames);
  assert.deepEqual(
    message!.map(([id, kind, bytes]) => [id, kind, bytes.length / 2]),
    [
      [1, frame.data, 6],
      [2, frame.trackedData, 3_000_000],
      [3, frame.data, 5],
    ],
  );
});
