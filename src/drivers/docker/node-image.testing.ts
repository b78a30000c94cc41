// A small image with the Node that runs the tests, for containers that have to serve something.

import { ensureImage } from "./engine.testing.ts";

/** Puts the image there, if it is not; `node` is on its path. */
export function ensureNodeImage(host: string): string {
  const image = `freehold-test-node:${process.versions.node}`;
  return ensureImage(host, image, () => [["node", process.execPath]]);
}
