// One SSH connection: its authentication, then its sessions and port forwards. The user name is the
// id of the Pod.

import type { Duplex } from "node:stream";
import ssh2, {
  type AuthContext,
  type Connection,
  type PublicKeyAuthContext,
  type ServerChannel,
  type TcpipRequestInfo,
} from "ssh2";
import type { Clock } from "../../base/clock.ts";
import { guarded } from "../../base/guarded.ts";
import type { Logger } from "../../base/log.ts";
import { watchAccess } from "../../flows/access-watch.ts";
import {
  authorizeSsh,
  lastingSshAccess,
  recordSshConnection,
  type SshAccess,
  type SshAuthDeps,
} from "../../flows/ssh/authorize.ts";
import { dialOverSsh, filesOverSsh, runOverSsh, type SshDeps } from "../../flows/ssh/connect.ts";
import { isStrong, listAlgorithms, nameAlgorithm } from "./rsa-signatures.ts";
import { SshSession } from "./ssh-session.ts";

export interface SshConnectionDeps extends SshDeps, SshAuthDeps {
  clock: Clock;
  log: Logger;
}

/** Clients offer every key that they have. */
const MAX_ATTEMPTS = 20;
/** Sessions and forwarded connections at a time. */
const MAX_CHANNELS = 256;
const OWN_HOSTS = new Set(["localhost", "127.0.0.1", "::1", "0.0.0.0"]);

/** The socket of a connection, as its server has it. */
export interface SshSocket {
  address: string;
  /** Called once the connection is authenticated. */
  identify(): void;
  /** Closes it without waiting for the client. */
  cut(): void;
}

export class SshConnection {
  readonly #deps: SshConnectionDeps;
  readonly #client: Connection;
  readonly #socket: SshSocket;
  readonly #atEnd: (() => void)[] = [];
  #access: SshAccess | null = null;
  #key: Buffer = Buffer.alloc(0);
  #attempts = 0;
  #channels = 0;

  constructor(deps: SshConnectionDeps, client: Connection, socket: SshSocket) {
    this.#deps = deps;
    this.#client = client;
    this.#socket = socket;
    listAlgorithms(client);
    client.on("error", () => {}); // a close event follows
    client.on("close", () => {
      for (const end of this.#atEnd) end();
    });
    client.on(
      "authentication",
      guarded("an SSH connection", (context) => this.#authenticate(context)),
    );
    client.on(
      "ready",
      guarded("an SSH connection", () => {
        socket.identify();
        void this.#begin();
      }),
    );
    client.on(
      "session",
      guarded("an SSH connection", (accept, reject) => {
        if (!this.#takeChannel()) return reject();
        const session = accept();
        session.once("close", () => this.#freeChannel());
        new SshSession(
          session,
          (request) => runOverSsh(deps, this.#access!, request),
          () => filesOverSsh(deps, this.#access!),
        );
      }),
    );
    client.on(
      "tcpip",
      guarded("an SSH connection", (accept, reject, info) => this.#forward(accept, reject, info)),
    );
  }

  async #authenticate(context: AuthContext): Promise<void> {
    if (context.method !== "publickey") return context.reject(["publickey"]);
    if (!isStrong(context)) return context.reject(["publickey"]);
    // A client first asks whether a key is known, then signs with it.
    if (++this.#attempts > MAX_ATTEMPTS) return void this.#client.end();
    const { data } = context.key;
    try {
      const access = await authorizeSsh(this.#deps, context.username, data);
      const isProven = access && (!context.signature || hasSigned(access.key.publicKey, context));
      if (!isProven) return context.reject(["publickey"]);
      if (context.signature) [this.#access, this.#key] = [access, data];
      nameAlgorithm(context);
      context.accept();
    } catch (error) {
      this.#deps.log.warn({ err: error }, "an SSH key could not be checked");
      this.#client.end();
    }
  }

  /** Records the connection, and ends it when its key no longer opens the Pod. */
  async #begin(): Promise<void> {
    const access = this.#access!;
    const lasting = lastingSshAccess(this.#deps, access, this.#key);
    this.#atEnd.push(watchAccess(this.#deps.clock, lasting, () => this.#cut()));
    try {
      await recordSshConnection(this.#deps, access, this.#socket.address);
    } catch (error) {
      this.#deps.log.warn(
        { err: error, pod: access.podId },
        "an SSH connection could not be recorded",
      );
      this.#cut();
    }
  }

  /** A client that does not close its side of the connection could otherwise go on sending input. */
  #cut(): void {
    this.#client.end();
    this.#socket.cut();
  }

  async #forward(
    accept: () => ServerChannel,
    reject: () => void,
    { destIP, destPort }: TcpipRequestInfo,
  ): Promise<void> {
    if (!OWN_HOSTS.has(destIP) || !this.#takeChannel()) return reject();
    try {
      const connection = await dialOverSsh(this.#deps, this.#access!, destPort);
      const channel = accept();
      channel.once("close", () => this.#freeChannel());
      join(channel, connection);
    } catch {
      this.#freeChannel();
      reject();
    }
  }

  #takeChannel(): boolean {
    if (this.#channels >= MAX_CHANNELS) return false;
    this.#channels++;
    return true;
  }

  #freeChannel(): void {
    this.#channels--;
  }
}

function hasSigned(line: string, { blob, signature, hashAlgo }: PublicKeyAuthContext): boolean {
  const key = ssh2.utils.parseKey(line);
  return !(key instanceof Error) && key.verify(blob!, signature!, hashAlgo) === true;
}

function join(channel: ServerChannel, connection: Duplex): void {
  for (const each of [channel, connection]) each.on("error", () => {}); // a close event follows
  channel.pipe(connection).pipe(channel);
  channel.once("close", () => connection.destroy());
  connection.once("close", () => channel.close());
}
