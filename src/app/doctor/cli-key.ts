// Whether this machine's own commands can open the service.

import { statSync } from "node:fs";
import path from "node:path";
import { textOf } from "../cli/service.ts";
import type { HomeConfig } from "../home-config.ts";
import type { Finding } from "./finding.ts";

const about = "key";

/** `known` tells whether a running service has taken the key already. */
export function lookAtKey(config: HomeConfig, known: boolean): Finding {
  const file = path.join(config.dataFolder, "cli.key");
  if (textOf(config, "cli.key") === null) {
    return { level: "ok", about, says: "made by the first start" };
  }
  if (process.platform !== "win32" && statSync(file).mode & 0o077) {
    const says = `others on this machine can read ${file}`;
    return { level: "warn", about, says, mend: `chmod 600 ${file}` };
  }
  return { level: "ok", about, says: known ? "the service knows it" : file };
}
