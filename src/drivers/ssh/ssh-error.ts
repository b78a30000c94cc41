// Descriptions of SSH connection errors that say how to fix them. Pure.

import type { SshTarget } from "./connect-config.ts";

/** Returns a sentence without its final period. */
export function describeSshError(error: unknown, { user, host, keys, agent }: SshTarget): string {
  const {
    code,
    message = String(error),
    level,
  } = error as NodeJS.ErrnoException & {
    level?: string;
  };
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `the name ${host} cannot be resolved`;
  if (code === "ECONNREFUSED")
    return "the connection was refused; its SSH server may not be running";
  if (level === "client-timeout" || code === "ETIMEDOUT") return "it does not answer";
  if (level === "client-authentication") {
    const credentials = [
      ...(keys.length > 0 ? [keys.length === 1 ? "this key" : `${keys.length} keys`] : []),
      ...(agent === null ? [] : ["the agent's keys"]),
    ];
    if (credentials.length === 0) {
      return `there is no key for ${user}: pass one with --identity, or start an SSH agent`;
    }
    return `it does not accept ${user} with ${credentials.join(" or ")}; add the public key to its authorized_keys`;
  }
  return message.replace(/\s+/g, " ").replace(/\.$/, "").slice(0, 200);
}
