// One SSH connection to a machine: everything that is asked of it goes through here. It is made when
// it is needed and kept; where it breaks, or cannot be made, it is tried again, ever more rarely.

import type { Duplex } from "node:stream";
import { Client, type ClientChannel } from "ssh2";
import type { Clock } from "../../base/clock.ts";
import { DriverAway } from "../driver.ts";
import { type KeyTrust, optionsFor, type SshTarget } from "./options.ts";
import { sentenceOf } from "./sentence.ts";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

export interface SshLinkOptions {
  clock: Clock;
  target: SshTarget;
  trust: KeyTrust;
}

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** What a far port was asked to lead to us by; see `listen`. */
type Visitor = (channel: Duplex) => void;

export class SshLink {
  readonly #options: SshLinkOptions;
  #connecting: Promise<Client> | null = null;
  #client: Client | null = null;
  #failures = 0;
  #notBefore = 0;
  #trouble = "";
  #closed = false;
  readonly #visitors = new Map<number, Visitor>();
  #listeners: { port: number; over: () => void }[] = [];

  constructor(options: SshLinkOptions) {
    this.#options = options;
  }

  /** The machine, for people: gpu1, or gpu1:2222. */
  get name(): string {
    const { host, port } = this.#options.target;
    return port === 22 ? host : `${host}:${port}`;
  }

  /** A connection to a Unix socket of the machine. */
  async openSocket(path: string): Promise<Duplex> {
    const client = await this.#connected();
    return this.#channel((done) => client.openssh_forwardOutStreamLocal(path, done));
  }

  /** A connection to an address as the machine sees it. Rejects with ssh2's error where it cannot be. */
  async openPort(host: string, port: number): Promise<Duplex> {
    const client = await this.#connected();
    return this.#channel((done) => client.forwardOut("127.0.0.1", 0, host, port, done));
  }

  /**
   * Takes connections on a port of the machine, at one of its addresses; 0 for any port. Resolves to
   * the port. `over` is called when it takes none any more.
   */
  async listen(address: string, port: number, visitor: Visitor, over: () => void): Promise<number> {
    const client = await this.#connected();
    const taken = await new Promise<number>((resolve, reject) => {
      client.forwardIn(address, port, (error, bound) => {
        if (error) reject(this.#asTold(error));
        else resolve(port === 0 ? bound : port);
      });
    });
    this.#visitors.set(taken, visitor);
    this.#listeners.push({ port: taken, over });
    return taken;
  }

  async unlisten(address: string, port: number): Promise<void> {
    const client = this.#client;
    this.#listeners = this.#listeners.filter((each) => each.port !== port);
    this.#visitors.delete(port);
    if (client)
      await new Promise<void>((resolve) => client.unforwardIn(address, port, () => resolve()));
  }

  /** Runs a command line in the machine's shell; what it prints is text. */
  async run(command: string, input = ""): Promise<Ran> {
    const client = await this.#connected();
    const channel = (await this.#channel((done) => client.exec(command, done))) as ClientChannel;
    let [stdout, stderr] = ["", ""];
    channel.on("data", (bytes: Buffer) => (stdout += bytes));
    channel.stderr.on("data", (bytes: Buffer) => (stderr += bytes));
    const code = await new Promise<number | null>((resolve) => {
      let exit: number | null = null;
      channel.on("exit", (status: number | null) => (exit = status));
      channel.on("close", () => resolve(exit));
      channel.end(input);
    });
    return { code, stdout, stderr };
  }

  close(): void {
    this.#closed = true;
    this.#client?.end();
    this.#client = null;
  }

  #channel(
    open: (done: (error: Error | undefined, channel: ClientChannel) => void) => void,
  ): Promise<Duplex> {
    return new Promise((resolve, reject) => {
      try {
        open((error, channel) => {
          if (error) return reject(this.#asTold(error));
          channel.on("error", () => {}); // its close follows
          resolve(channel);
        });
      } catch {
        reject(this.#away("the connection broke"));
      }
    });
  }

  /** What was asked when the connection broke is answered by the library, in words of its own. */
  #asTold(error: Error): Error {
    const broke = error.message === "No response from server";
    return broke ? this.#away("the connection broke") : error;
  }

  #away(why: string): DriverAway {
    return new DriverAway(`${this.name} is not reached by SSH: ${why}.`);
  }

  async #connected(): Promise<Client> {
    if (this.#closed) throw this.#away("it is not attended here any more");
    if (this.#client) return this.#client;
    if (this.#connecting) return this.#connecting;
    if (this.#options.clock.now() < this.#notBefore) throw this.#away(this.#trouble);
    this.#connecting = this.#connect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  async #connect(): Promise<Client> {
    const { clock, target, trust } = this.#options;
    const client = new Client();
    const refused: { why: string | null } = { why: null };
    try {
      const how = await optionsFor(target, trust, refused);
      await new Promise<void>((resolve, reject) => {
        client.once("ready", resolve);
        client.once("close", () => reject(new Error("it closed the connection")));
        client.on("error", reject); // also once it is made: its close follows
        client.connect(how);
      });
    } catch (error) {
      client.destroy();
      this.#trouble = refused.why ?? sentenceOf(error, target);
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures++);
      this.#notBefore = clock.now() + pauseMs;
      throw this.#away(this.#trouble);
    }
    if (this.#closed) {
      client.end();
      throw this.#away("it is not attended here any more");
    }
    this.#failures = 0;
    this.#client = client;
    client.setNoDelay(true);
    client.once("close", () => this.#lost(client));
    client.on("tcp connection", ({ destPort }, accept, reject) => {
      const visitor = this.#visitors.get(destPort);
      if (!visitor) return reject();
      const channel = accept();
      channel.on("error", () => {}); // its close follows
      visitor(channel);
    });
    return client;
  }

  #lost(client: Client): void {
    if (this.#client === client) this.#client = null;
    const over = this.#listeners.splice(0);
    this.#visitors.clear();
    for (const each of over) each.over();
  }
}
