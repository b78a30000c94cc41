// The SSH server for Pods, on a listener of its own.

import type { Config } from "../../config/config.ts";
import { addressFor } from "../../config/reach/client-address.ts";
import type { SshAddress } from "../../edge/management/deps.ts";
import { type SshServer, sshServer } from "../../edge/ssh/ssh-server.ts";
import type { LogSources } from "../../flows/replica/log-source.ts";
import { sshHostKey } from "../../installation/ssh-host-key.ts";
import type { Parts } from "../service-parts.ts";

/** Where clients reach the server; null if it is off. */
export const sshAddressOf = (server: SshServer, config: Config): SshAddress | null =>
  addressFor(server, config.sshListen, config);

export function openSsh(
  { config, store, clock, log, secretKey }: Parts,
  sources: LogSources,
): SshServer {
  const { privateKey: hostKey } = sshHostKey(secretKey);
  const { connections } = config.connectionRules;
  const sshNeedsSignIn = config.oidc?.endSsh ?? false;
  return sshServer({ store, clock, log, ...sources, hostKey, connections, sshNeedsSignIn });
}
