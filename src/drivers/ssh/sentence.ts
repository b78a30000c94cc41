// What went wrong with a connection, in words that say what would mend it. Pure.

import type { SshTarget } from "./options.ts";

/** A sentence without its full stop. */
export function sentenceOf(error: unknown, { user, host, keys, agent }: SshTarget): string {
  const {
    code,
    message = String(error),
    level,
  } = error as NodeJS.ErrnoException & {
    level?: string;
  };
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `the name ${host} is not known`;
  if (code === "ECONNREFUSED") return "nothing listens there, or its SSH server does not run";
  if (level === "client-timeout" || code === "ETIMEDOUT") return "it does not answer";
  if (level === "client-authentication") {
    const shown = [
      ...(keys.length > 0 ? [keys.length === 1 ? "the key given" : `${keys.length} keys`] : []),
      ...(agent === null ? [] : ["the agent's keys"]),
    ];
    if (shown.length === 0) {
      return `there is no key to show as ${user}: give one with --identity, or start an SSH agent`;
    }
    return `it does not let ${user} in with ${shown.join(" or ")}; add the public key to its authorized_keys`;
  }
  return message.replace(/\s+/g, " ").replace(/\.$/, "").slice(0, 200);
}
