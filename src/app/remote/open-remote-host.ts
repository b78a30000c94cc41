// Opens a connection to a remote machine, as the store describes it.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Server } from "node:http";
import { homedir } from "node:os";
import path from "node:path";
import type { Vault } from "../../base/vault.ts";
import { reachRule } from "../../config/reach/reach-rule.ts";
import { NotReached } from "../../domain/container/unreachable-port.ts";
import {
  type RemoteMachine,
  type RemoteSecrets,
  remoteAddressOf,
  remoteOwner,
} from "../../domain/machine/remote.ts";
import { openDockerDriver } from "../../drivers/docker/docker-driver.ts";
import type { KeyTrust } from "../../drivers/ssh/connect-config.ts";
import { SshLink } from "../../drivers/ssh/link.ts";
import { findRemote, pinHostKey } from "../../store/remote-machine/remote-machine.ts";
import { imageMarks } from "../machine/image-marks.ts";
import { logPieceStore } from "../machine/log-archive.ts";
import { recallGpus } from "../machine/own-machine.ts";
import { inspectEngine, type RemoteHost } from "../machine/remote-host.ts";
import type { Parts } from "../service-parts.ts";
import { openSshHost } from "./ssh-host.ts";

/**
 * `containersServer` creates a server of containers. Throws CannotOpen if the machine's secrets cannot be
 * read.
 */
export function openRemoteHost(
  parts: Parts,
  vault: Vault,
  containersServer: () => Server,
  remote: RemoteMachine,
): RemoteHost {
  const { clock } = parts;
  const { identity, tls } = JSON.parse(
    vault.open(remote.secrets, remoteOwner(remote.id)),
  ) as RemoteSecrets;
  const driver = {
    clock,
    owner: { installation: parts.installation, machine: remote.id },
    imageMarks: imageMarks(parts.store, remote.id),
    registries: reachRule(parts.config, parts.localTrust),
    logPieces: logPieceStore(parts.store),
    publishOn: remote.offer.publicIp === null ? "127.0.0.1" : "0.0.0.0",
  };
  const address = remoteAddressOf(remote.address)!;
  if (address.by === "tcp") {
    return openTcpHost({ ...driver, host: remote.address, tls: tls ?? null });
  }
  if (address.by === "kubernetes") throw new Error(`${remote.address} is a cluster`);
  const { socket, ...there } = address;
  const keys = identity === undefined ? usualKeys() : [identity];
  const agent = identity === undefined ? (parts.env.SSH_AUTH_SOCK ?? null) : null;
  const link = new SshLink({
    clock,
    target: { ...there, keys, agent },
    trust: trustIn(parts, remote),
  });
  const recalls = () => recallGpus(parts, remote.id);
  return openSshHost({ link, socket, driver, containersServer, recallGpus: recalls });
}

/** The operator's own SSH keys, except those with a passphrase. */
function usualKeys(): string[] {
  const folder = path.join(homedir(), ".ssh");
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^id_[a-z0-9]+$/.test(name));
  return names.sort().map((name) => readFileSync(path.join(folder, name), "utf8"));
}

function trustIn({ store }: Parts, { id }: RemoteMachine): KeyTrust {
  return {
    known: async () => (await store.read(findRemote, id))?.hostKey ?? null,
    trustOnFirstUse: (hostKey) => store.write(pinHostKey, id, hostKey),
  };
}

/**
 * Opens a machine of which only the engine is reached, over TLS. Its containers' networks cannot be reached,
 * nothing leads back from there, and its GPUs and disk are unknown.
 */
function openTcpHost(options: Omit<Parameters<typeof openDockerDriver>[0], "connect">): RemoteHost {
  const driver = openDockerDriver({
    ...options,
    connect: () => Promise.reject(new NotReached("no_way")),
  });
  return {
    driver,
    async inspectHardware() {
      const { vcpus, memoryMb, system } = await inspectEngine(driver);
      return { vcpus, memoryMb, system, diskGb: 0, gpus: [], gpuDriver: null, cudaVersion: null };
    },
    readGpus: null,
    follow: null,
    testGpu: null,
    setMigLayout: null,
    readMigProfiles: null,
    gpuUse: async () => [],
    hostLoad: async () => null,
    hostNetwork: null,
    reconnect() {},
    close: () => driver.close(),
  };
}
