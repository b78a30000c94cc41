// A session of an SSH connection: a shell, a command or SFTP in the Pod, with or without a terminal.

import type { Writable } from "node:stream";
import type { ServerChannel, Session } from "ssh2";
import { guarded } from "../../base/guarded.ts";
import { drained } from "../../base/node/drained.ts";
import { Fault } from "../../domain/fault.ts";
import type { ExecRequest, Execution } from "../../flows/pod/exec.ts";
import { ShellEnded } from "../../flows/ssh/files/container-shell.ts";
import { FileError } from "../../flows/ssh/files/file-error.ts";
import type { PodFiles } from "../../flows/ssh/files/pod-files.ts";
import { MalformedPacket } from "./sftp/packet-reader.ts";
import { SftpSession } from "./sftp/sftp-session.ts";

export type RunCommand = (request: ExecRequest) => Promise<Execution>;

/** Not a login shell: /etc/profile of many images replaces the PATH that the image sets. */
const SHELL = "command -v bash >/dev/null && exec bash; exec sh";

/** What OpenSSH returns if a command could not be run. */
const NOT_RUN = 255;
const MAX_SIZE = 1_000;
/** What Ctrl-D types. */
const END_OF_TRANSMISSION = Buffer.from([4]);

type Size = NonNullable<ExecRequest["tty"]>;

export class SshSession {
  readonly #run: RunCommand;
  readonly #openFiles: () => Promise<PodFiles>;
  #tty: Size | null = null;
  #execution: Execution | null = null;

  constructor(session: Session, run: RunCommand, openFiles: () => Promise<PodFiles>) {
    this.#run = run;
    this.#openFiles = openFiles;
    session.on(
      "pty",
      guarded("an SSH session", (accept, _reject, { cols, rows }) => {
        this.#tty = sizeOf(cols, rows);
        accept?.();
      }),
    );
    session.on(
      "window-change",
      guarded("an SSH session", (accept, _reject, { cols, rows }) => {
        this.#tty = sizeOf(cols, rows);
        void this.#execution?.resize(this.#tty.cols, this.#tty.rows).catch(() => {});
        accept?.();
      }),
    );
    session.on(
      "shell",
      guarded("an SSH session", (accept) => this.#serve(accept(), SHELL)),
    );
    session.on(
      "exec",
      guarded("an SSH session", (accept, _reject, { command }) => this.#serve(accept(), command)),
    );
    session.on(
      "subsystem",
      guarded("an SSH session", (accept, reject, { name }) => {
        if (name === "sftp") void this.#transfer(accept());
        else reject();
      }),
    );
  }

  async #serve(channel: ServerChannel, script: string): Promise<void> {
    channel.on("error", () => {}); // a close event follows
    let isClosed = false;
    channel.once("close", () => {
      isClosed = true;
      void this.#execution?.end().catch(() => {}); // an unreachable engine has ended its commands too
    });
    try {
      const execution = await this.#run({ command: ["sh", "-c", script], tty: this.#tty });
      this.#execution = execution;
      if (isClosed) return void (await execution.end());
      void passInput(channel, execution, this.#tty !== null);
      for await (const { output, bytes } of execution.output) {
        await write(output === "stderr" ? channel.stderr : channel, bytes, channel);
      }
      channel.exit((await execution.exitCode()) ?? NOT_RUN);
    } catch (error) {
      if (isClosed) return;
      channel.stderr.write(`${sentenceOf(error)}\r\n`);
      channel.exit(NOT_RUN);
    } finally {
      channel.end();
    }
  }

  /** Answers SFTP; the image needs no program for it. */
  async #transfer(channel: ServerChannel): Promise<void> {
    channel.on("error", () => {}); // a close event follows
    let isClosed = false;
    let end = async () => {};
    channel.once("close", () => {
      isClosed = true;
      void end();
    });
    try {
      const session = new SftpSession(await this.#openFiles());
      end = () => session.end().catch(() => {}); // an unreachable engine has ended its commands too
      if (!isClosed) await session.serve(channel, (packet) => write(channel, packet, channel));
      channel.exit(0);
    } catch (error) {
      if (isClosed) return;
      channel.stderr.write(`${sentenceOf(error)}\n`);
      channel.exit(NOT_RUN);
    } finally {
      channel.end();
      void end();
    }
  }
}

/** Input is read only as fast as the command takes it. */
async function passInput(
  channel: ServerChannel,
  execution: Execution,
  isTerminal: boolean,
): Promise<void> {
  try {
    for await (const bytes of channel) await execution.write(bytes as Buffer);
    // A terminal has one stream for both directions: an engine that loses its input ends the output, too.
    if (isTerminal) await execution.write(END_OF_TRANSMISSION);
    else execution.endInput();
  } catch {
    // The connection broke: its close event ends the command.
  }
}

/** Resolves once more can be written, or the channel is closed. */
async function write(to: Writable, bytes: Buffer, channel: ServerChannel): Promise<void> {
  if (channel.destroyed || to.write(bytes)) return;
  await drained(to, channel);
}

function sizeOf(cols: number, rows: number): Size {
  const within = (n: number, usual: number) => (n > 0 ? Math.min(n, MAX_SIZE) : usual);
  return { cols: within(cols, 80), rows: within(rows, 24) };
}

const SPOKEN = [Fault, FileError, MalformedPacket, ShellEnded];

const sentenceOf = (error: unknown) =>
  SPOKEN.some((kind) => error instanceof kind)
    ? (error as Error).message
    : "The Pod's machine cannot be reached.";
