// The SSH connection to a machine, shared by all its users. It is opened on first use and kept open;
// after a failure it is retried with back-off.

import type { Duplex } from "node:stream";
import { Client, type ClientChannel } from "ssh2";
import type { Clock } from "../../base/clock.ts";
import { guarded } from "../../base/guarded.ts";
import { DriverUnavailable } from "../driver.ts";
import { connectConfig, type KeyTrust, type SshTarget } from "./connect-config.ts";

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

export interface SshLinkOptions {
  clock: Clock;
  target: SshTarget;
  trust: KeyTrust;
}

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Receives the connections to a forwarded port; see `listen`. */
type ChannelHandler = (channel: Duplex) => void;

export class SshLink {
  readonly #options: SshLinkOptions;
  #connecting: Promise<Client> | null = null;
  #client: Client | null = null;
  #failures = 0;
  #notBefore = 0;
  #failure = "";
  #isClosed = false;
  readonly #channelHandlers = new Map<number, ChannelHandler>();
  #listeners: { port: number; onClose: () => void }[] = [];

  constructor(options: SshLinkOptions) {
    this.#options = options;
  }

  /** The machine's display name: gpu1, or gpu1:2222. */
  get name(): string {
    const { host, port } = this.#options.target;
    return port === 22 ? host : `${host}:${port}`;
  }

  /** A connection to a Unix socket of the machine. */
  async openSocket(path: string): Promise<Duplex> {
    const client = await this.#connected();
    return this.#channel((done) => client.openssh_forwardOutStreamLocal(path, done));
  }

  /** A connection to an address that the machine reaches. Rejects with ssh2's error. */
  async openPort(host: string, port: number): Promise<Duplex> {
    const client = await this.#connected();
    return this.#channel((done) => client.forwardOut("127.0.0.1", 0, host, port, done));
  }

  /**
   * Accepts connections on a port of the machine, at one of its addresses; 0 for any port. Resolves to
   * the port. `onClose` is called when it stops listening.
   */
  async listen(
    address: string,
    port: number,
    onChannel: ChannelHandler,
    onClose: () => void,
  ): Promise<number> {
    const client = await this.#connected();
    const boundPort = await new Promise<number>((resolve, reject) => {
      client.forwardIn(address, port, (error, bound) => {
        if (error) reject(this.#connectionError(error));
        else resolve(port === 0 ? bound : port);
      });
    });
    this.#channelHandlers.set(boundPort, onChannel);
    this.#listeners.push({ port: boundPort, onClose });
    return boundPort;
  }

  async unlisten(address: string, port: number): Promise<void> {
    const client = this.#client;
    this.#listeners = this.#listeners.filter((each) => each.port !== port);
    this.#channelHandlers.delete(port);
    if (client)
      await new Promise<void>((resolve) => client.unforwardIn(address, port, () => resolve()));
  }

  /** Runs a command line in the machine's shell and collects its output as text. */
  async run(command: string, input = ""): Promise<CommandResult> {
    let ended: Promise<number | null> | null = null;
    const channel = await this.openProgram(command, (opened) => (ended = exitOf(opened)));
    let [stdout, stderr] = ["", ""];
    channel.on("data", (bytes: Buffer) => (stdout += bytes));
    channel.stderr.on("data", (bytes: Buffer) => (stderr += bytes));
    channel.end(input);
    return { code: await ended, stdout, stderr };
  }

  /**
   * Starts a command line in the machine's shell; it runs until it ends or the channel is closed. `onOpened` is called before
   * any event of the channel: a short command's exit code can be in the packet that opens it.
   */
  async openProgram(
    command: string,
    onOpened: (channel: ClientChannel) => void = () => {},
  ): Promise<ClientChannel> {
    const client = await this.#connected();
    return (await this.#channel((done) =>
      client.exec(command, (error, opened) => {
        if (opened) onOpened(opened);
        done(error, opened);
      }),
    )) as ClientChannel;
  }

  /** Ends the connection; the next use opens another, which the server serves by its present settings. */
  reconnect(): void {
    this.#client?.destroy();
  }

  close(): void {
    this.#isClosed = true;
    this.#client?.end();
    this.#client = null;
  }

  #channel(
    open: (done: (error: Error | undefined, channel: ClientChannel) => void) => void,
  ): Promise<Duplex> {
    return new Promise((resolve, reject) => {
      try {
        open((error, channel) => {
          if (error) return reject(this.#connectionError(error));
          channel.on("error", () => {}); // its close follows
          resolve(channel);
        });
      } catch {
        reject(this.#unavailable("the connection broke"));
      }
    });
  }

  /** Recognizes the library's error for requests that were pending when the connection broke. */
  #connectionError(error: Error): Error {
    const isBroken = error.message === "No response from server";
    return isBroken ? this.#unavailable("the connection broke") : error;
  }

  #unavailable(reason: string): DriverUnavailable {
    return new DriverUnavailable(`${this.name} is unreachable by SSH: ${reason}.`);
  }

  async #connected(): Promise<Client> {
    if (this.#isClosed) throw this.#unavailable("this replica does not manage it any more");
    if (this.#client) return this.#client;
    if (this.#connecting) return this.#connecting;
    if (this.#options.clock.ticks() < this.#notBefore) throw this.#unavailable(this.#failure);
    this.#connecting = this.#connect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  async #connect(): Promise<Client> {
    const { clock, target, trust } = this.#options;
    const client = new Client();
    const rejection: { reason: string | null } = { reason: null };
    try {
      const config = await connectConfig(target, trust, rejection);
      await new Promise<void>((resolve, reject) => {
        client.once("ready", resolve);
        client.once("close", () => reject(new Error("it closed the connection")));
        client.on("error", reject); // also after it is open: a close follows
        client.connect(config);
      });
    } catch (error) {
      client.destroy();
      this.#failure = rejection.reason ?? describeSshError(error, target);
      const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures++);
      this.#notBefore = clock.ticks() + pauseMs;
      throw this.#unavailable(this.#failure);
    }
    if (this.#isClosed) {
      client.end();
      throw this.#unavailable("this replica does not manage it any more");
    }
    this.#failures = 0;
    this.#client = client;
    client.setNoDelay(true);
    client.once("close", () => this.#lost(client));
    client.on(
      "tcp connection",
      guarded("an SSH connection", ({ destPort }, accept, reject) => {
        const onChannel = this.#channelHandlers.get(destPort);
        if (!onChannel) return reject();
        const channel = accept();
        channel.on("error", () => {}); // its close follows
        onChannel(channel);
      }),
    );
    return client;
  }

  #lost(client: Client): void {
    if (this.#client === client) this.#client = null;
    const listeners = this.#listeners.splice(0);
    this.#channelHandlers.clear();
    for (const listener of listeners) listener.onClose();
  }
}

/** Resolves when the command's channel is closed: to its exit code, or null if a signal or the connection ended it. */
/** Its exit code once it is closed; null without one. */
export function exitOf(channel: ClientChannel): Promise<number | null> {
  return new Promise((resolve) => {
    let code: number | null = null;
    channel.on("exit", (status: number | null) => (code = status));
    channel.on("close", () => resolve(code));
  });
}

/** Describes a connection error and how to fix it. Returns a sentence without its final period. */
function describeSshError(error: unknown, { user, host, keys, agent }: SshTarget): string {
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
