// The check of the key of local commands.

import { statSync } from "node:fs";
import path from "node:path";
import type { HomeConfig } from "../../config/home-config.ts";
import { textOf } from "../client/running-service.ts";
import type { Finding } from "./finding.ts";

const about = "key";

/** `known` tells whether a running service accepted the key. */
export function checkKey(config: HomeConfig, known: boolean): Finding {
  const file = path.join(config.dataFolder, "cli.key");
  if (textOf(config, "cli.key") === null) {
    return { level: "ok", about, says: "created by the first start" };
  }
  if (process.platform !== "win32" && statSync(file).mode & 0o077) {
    const says = `other users of this machine can read ${file}`;
    return { level: "warn", about, says, fix: `chmod 600 ${file}` };
  }
  return { level: "ok", about, says: known ? "the service accepts it" : file };
}
