// Opens a machine at an address of its own, by what the store knows of it.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import type { Vault } from "../../base/vault.ts";
import {
  type RemoteMachine,
  type RemoteSecrets,
  remoteAddressOf,
  remoteOwner,
} from "../../domain/machine/remote.ts";
import { SshLink } from "../../drivers/ssh/link.ts";
import type { KeyTrust } from "../../drivers/ssh/options.ts";
import { findRemote, settleHostKey } from "../../store/replica/remote-machine.ts";
import { imageMarks } from "../image-marks.ts";
import { logShelf } from "../log-shelf.ts";
import type { Parts } from "../parts.ts";
import type { Site } from "./site.ts";
import { openSshSite } from "./ssh-site.ts";
import { openTcpSite } from "./tcp-site.ts";

/** `own` is what the service itself listens on. Throws CannotOpen where its secrets cannot be read. */
export function openSite(
  parts: Parts,
  vault: Vault,
  own: { host: string; port: number },
  remote: RemoteMachine,
): Site {
  const { clock } = parts;
  const { identity, tls } = JSON.parse(
    vault.open(remote.secrets, remoteOwner(remote.id)),
  ) as RemoteSecrets;
  const driver = {
    clock,
    installation: remote.id,
    imageMarks: imageMarks(parts.store, remote.id),
    logShelf: logShelf(parts.store),
    publishOn: remote.offer.publicIp === null ? "127.0.0.1" : "0.0.0.0",
  };
  const address = remoteAddressOf(remote.address)!;
  if (address.by === "tcp") {
    return openTcpSite({ ...driver, host: remote.address, tls: tls ?? null });
  }
  const { socket, ...there } = address;
  const keys = identity === undefined ? usualKeys() : [identity];
  const agent = identity === undefined ? (parts.env.SSH_AUTH_SOCK ?? null) : null;
  const link = new SshLink({
    clock,
    target: { ...there, keys, agent },
    trust: trustIn(parts, remote),
  });
  return openSshSite({ link, socket, driver, own });
}

/** The keys of whoever runs the service, but for those that ask for a passphrase. */
function usualKeys(): string[] {
  const folder = path.join(homedir(), ".ssh");
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^id_[a-z0-9]+$/.test(name));
  return names.sort().map((name) => readFileSync(path.join(folder, name), "utf8"));
}

function trustIn({ store }: Parts, { id }: RemoteMachine): KeyTrust {
  return {
    known: async () => (await store.read(findRemote, id))?.hostKey ?? null,
    settle: (seen) => store.write(settleHostKey, id, seen),
  };
}
