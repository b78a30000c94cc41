// The thread that computes the digests of large bodies. Each body has a port of its own; the port's end also ends the body.

import { parentPort } from "node:worker_threads";
import {
  DigestAtOnce,
  type DigestInput,
  type DigestReply,
  type DigestRequest,
} from "./body-digest.ts";

parentPort!.on("message", ({ port, algorithm }: DigestRequest) => {
  const digest = new DigestAtOnce(algorithm);
  port.on("message", (input: DigestInput) => {
    if (input) {
      digest.add(input.buffer.subarray(0, input.length));
      port.postMessage(input.buffer satisfies DigestReply, [input.buffer.buffer]);
      return;
    }
    port.postMessage(digest.end() satisfies DigestReply);
    port.close();
  });
});
