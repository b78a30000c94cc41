// Builds the image like `docker build .`, from the test's own base image.

import path from "node:path";
import { docker } from "./engine.ts";

const root = path.join(import.meta.dirname, "..", "..");

/** Returns the image's name. */
export function buildImage(node: string): string {
  const tag = `freehold-test:${process.pid}`;
  // Uses no cached layers and keeps no intermediate ones.
  docker("build", "--force-rm", "--build-arg", `NODE_IMAGE=${node}`, "--tag", tag, root);
  return tag;
}
