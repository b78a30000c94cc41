// The command line's key as a command shows it: the key itself on a terminal of this machine, and
// elsewhere, such as in a journal or a CI log, the file that holds it.

import path from "node:path";
import { shellQuoted } from "../../base/text/shell-quote.ts";
import type { HomeConfig } from "../../config/home-config.ts";

export interface ShownKey {
  /** Null if the key must not be shown. */
  key: string | null;
  file: string;
  /** The key inside the double quotes of a shell command. */
  quoted: string;
}

export function shownKey(
  { loopback, dataFolder }: HomeConfig,
  key: string,
  isTerminal: boolean,
): ShownKey {
  const file = path.join(dataFolder, "cli.key");
  if (isTerminal && loopback) return { key, file, quoted: key };
  return { key: null, file, quoted: `$(cat ${shellQuoted(file)})` };
}
