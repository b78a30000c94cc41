// The SSH server for Pods, on a listener of its own.

import type { SshAddress } from "../../edge/rest-v1/deps.ts";
import { type SshServer, sshServer } from "../../edge/ssh/ssh-server.ts";
import type { LogSources } from "../../flows/log/source.ts";
import type { Config } from "../config/config.ts";
import { sshHostKey } from "../installation/ssh-host-key.ts";
import type { Parts } from "../service-parts.ts";

/** Where clients reach the server; null if it is off. */
export function sshAddressOf(
  server: SshServer,
  { sshListen, publicUrl, publicIp }: Config,
): SshAddress | null {
  const address = server.address();
  if (!sshListen || typeof address !== "object" || address === null) return null;
  const name = publicUrl === null ? publicIp : new URL(publicUrl).hostname;
  const isLocal = sshListen.host === "127.0.0.1" || sshListen.host === "::1";
  return { host: isLocal ? sshListen.host : (name ?? sshListen.host), port: address.port };
}

export function openSsh(
  { config, store, clock, log, secretKey }: Parts,
  sources: LogSources,
): SshServer {
  const { privateKey: hostKey } = sshHostKey(secretKey);
  const { connections } = config.connectionRules;
  return sshServer({ store, clock, log, ...sources, hostKey, connections });
}
