// A command in a container of a Kubernetes Pod, over one WebSocket.

import type { ExecRequest, Execution } from "../../driver.ts";
import type { ApiClient } from "./api-client.ts";
import type { Channels } from "./channels.ts";

const PROTOCOL = "v5.channel.k8s.io";
const CHANNEL = { input: 0, output: 1, errors: 2, status: 3, resize: 4, close: 255 } as const;

/** Exit codes of shells for a command that was found and could not run, and for one that was not found. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

/** `end` of an execution closes its connection. The command itself goes on, as Kubernetes cannot end it. */
export async function execInPod(
  client: ApiClient,
  pod: string,
  container: string,
  { command, tty }: ExecRequest,
): Promise<Execution> {
  const { Channels } = await import("./channels.ts");
  const streams = { stdin: true, stdout: true, stderr: tty === null, tty: tty !== null };
  const query = { container, command, ...streams };
  const channels = new Channels(await client.socket(`${pod}/exec`, query, PROTOCOL));
  const execution = new PodExecution(channels);
  if (tty) await execution.resize(tty.cols, tty.rows);
  return execution;
}

class PodExecution implements Execution {
  readonly output: Execution["output"];
  readonly #channels: Channels;
  #exitCode: number | null = null;

  constructor(channels: Channels) {
    this.#channels = channels;
    this.output = this.#read();
  }

  write(bytes: Buffer): Promise<void> {
    return this.#channels.write(CHANNEL.input, bytes);
  }

  endInput(): void {
    void this.#channels.write(CHANNEL.close, Buffer.of(CHANNEL.input));
  }

  resize(cols: number, rows: number): Promise<void> {
    const size = JSON.stringify({ Width: cols, Height: rows });
    return this.#channels.write(CHANNEL.resize, Buffer.from(size));
  }

  async exitCode(): Promise<number | null> {
    return this.#exitCode;
  }

  async end(): Promise<void> {
    this.#channels.close();
  }

  async *#read(): Execution["output"] & AsyncGenerator {
    for await (const { channel, bytes } of this.#channels.messages()) {
      if (bytes.length === 0) continue;
      if (channel === CHANNEL.output) yield { output: "stdout", bytes };
      else if (channel === CHANNEL.errors) yield { output: "stderr", bytes };
      else if (channel === CHANNEL.status) {
        const { exitCode, message } = resultOf(bytes.toString("utf8"));
        this.#exitCode = exitCode;
        if (message !== null) yield { output: "stderr", bytes: Buffer.from(`${message}\n`) };
        break;
      }
    }
    this.#channels.close();
  }
}

interface Status {
  status?: string;
  message?: string;
  details?: { causes?: { reason?: string; message?: string }[] };
}

/** The message is set if the command could not run. */
function resultOf(text: string): { exitCode: number | null; message: string | null } {
  const { status, message = "", details } = JSON.parse(text) as Status;
  if (status === "Success") return { exitCode: 0, message: null };
  const cause = details?.causes?.find(({ reason }) => reason === "ExitCode");
  if (cause) return { exitCode: Number(cause.message), message: null };
  const isMissing = /not found|no such file/i.test(message);
  return { exitCode: isMissing ? NOT_FOUND : NOT_EXECUTABLE, message };
}
