// The check of the Node version.

import type { Finding } from "./finding.ts";

const NEEDED_MAJOR = 24;

export function checkNode(version: string): Finding {
  const says = `v${version}`;
  if (Number.parseInt(version, 10) >= NEEDED_MAJOR) return { level: "ok", about: "Node", says };
  const fix = `install Node ${NEEDED_MAJOR} or later`;
  return { level: "fail", about: "Node", says: `${says} is too old`, fix };
}
