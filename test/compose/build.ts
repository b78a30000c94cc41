// Builds the image like `docker build .`, from the base images of the test's own registry.

import path from "node:path";
import { docker } from "./engine.ts";
import type { Images } from "./stand-ins.ts";

const root = path.join(import.meta.dirname, "..", "..");

/** Returns the image's name. */
export function buildImage({ node }: Images): string {
  const tag = `freehold-test:${process.pid}`;
  // Uses no cached layers and keeps no intermediate ones.
  docker("build", "--force-rm", "--build-arg", `NODE_IMAGE=${node}`, "--tag", tag, root);
  return tag;
}
