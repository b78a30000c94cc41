// `freehold exec <podId> [-- command]`: runs a command in a Pod on this terminal.

import { type RawData, WebSocket } from "ws";
import { exitCodes, Refusal } from "../../base/refusal.ts";
import type { RunningService } from "../client/running-service.ts";
import { exitCodeOf } from "../client/service-request.ts";
import { serviceFor } from "../context/choose-service.ts";
import { addServiceOptions, type CommonValues } from "../program/common-options.ts";
import { addExamples, defineCommand } from "../program/define-command.ts";
import { idMeant } from "../resources/find-any.ts";

export const { usage, run } = defineCommand("exec", (program) => {
  program
    .argument("<pod>", "an id or a name")
    .argument("[command...]", "a program and its arguments, after -- (default: a shell)");
  addServiceOptions(program).action(
    async (word: string, command: string[], values: CommonValues) => {
      const service = await serviceFor(values);
      process.exitCode = await execIn(service, await idMeant(service, word, ["Pod"]), command);
    },
  );
  addExamples(program, "freehold exec box", "freehold exec box -- ls -l /");
});

const INPUT = Buffer.of(0);
const CONTROL = 3;

/** Resolves to the exit code of the command, or of a shell. */
export async function execIn(
  { origin, key }: RunningService,
  id: string,
  command: readonly string[],
): Promise<number> {
  const { stdin, stdout } = process;
  const tty = Boolean(stdin.isTTY && stdout.isTTY);
  const query = new URLSearchParams(command.map((each): [string, string] => ["command", each]));
  if (tty) {
    for (const [name, value] of Object.entries({ tty, cols: stdout.columns, rows: stdout.rows })) {
      query.set(name, String(value));
    }
  }
  const url = `${origin.replace(/^http/, "ws")}/v1/pods/${encodeURIComponent(id)}/exec?${query}`;
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } });
  const exitCode = ended(socket);
  await opened(socket);
  if (tty) {
    stdin.setRawMode(true);
    stdout.on("resize", () => {
      order(socket, { resize: { cols: stdout.columns, rows: stdout.rows } });
    });
  }
  stdin.on("data", (bytes: Buffer) => socket.send(Buffer.concat([INPUT, bytes])));
  stdin.once("end", () => order(socket, { eof: true }));
  try {
    return await exitCode;
  } finally {
    if (tty) stdin.setRawMode(false);
    stdin.destroy();
  }
}

function order(socket: WebSocket, what: object): void {
  socket.send(Buffer.concat([Buffer.of(CONTROL), Buffer.from(JSON.stringify(what))]));
}

async function opened(socket: WebSocket): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("unexpected-response", (_request, response) => {
      let text = "";
      response.on("data", (piece) => {
        text += piece;
      });
      response.once("end", () => {
        const { statusCode = 0 } = response;
        reject(new Refusal(sentenceIn(text) ?? `${statusCode}`, exitCodeOf(statusCode)));
      });
    });
    socket.once("error", (error) => reject(new Refusal(error.message, exitCodes.unreachable)));
  });
}

/** The command's exit code; 137 if it is unknown, as for a killed program. */
function ended(socket: WebSocket): Promise<number> {
  let exitCode: number | null = null;
  socket.on("message", (data: RawData) => {
    const frame = data as Buffer;
    const [kind] = frame;
    if (kind === 1) process.stdout.write(frame.subarray(1));
    if (kind === 2) process.stderr.write(frame.subarray(1));
    if (kind === CONTROL) exitCode = JSON.parse(frame.subarray(1).toString()).exitCode;
  });
  return new Promise((resolve) => socket.once("close", () => resolve(exitCode ?? 137)));
}

function sentenceIn(text: string): string | null {
  try {
    return (JSON.parse(text) as { error?: string }).error ?? null;
  } catch {
    return null;
  }
}
