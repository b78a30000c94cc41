// Commands in a running container, each over its own connection to the engine.

import type { Duplex } from "node:stream";
import type Dockerode from "dockerode";
import { drained } from "../../../base/node/drained.ts";
import { ExecRefused } from "../../../domain/container/exec-refused.ts";
import type { ExecRequest, Execution } from "../../driver.ts";
import { KILL_MARKED_SCRIPT, MARK_VARIABLE } from "../../exec-mark.ts";
import { type Engine, messageOf, statusOf, unlessMissing } from "../engine.ts";

const HEADER_BYTES = 8;

export async function execIn(
  engine: Engine,
  container: string,
  { command, tty }: ExecRequest,
  mark: string,
): Promise<Execution> {
  try {
    const exec = await engine.callWithin((docker) =>
      docker.getContainer(container).exec({
        Cmd: command,
        Env: [`${MARK_VARIABLE}=${mark}.`, ...(tty ? ["TERM=xterm-256color"] : [])],
        Tty: tty !== null,
        AttachStdin: true,
        AttachStdout: true,
        AttachStderr: true,
      }),
    );
    const options = { hijack: true, stdin: true, Tty: tty !== null };
    const stream = (await engine.callWithin((docker) =>
      docker.getExec(exec.id).start(options),
    )) as Duplex;
    engine.guard(stream.on("error", () => {})); // the reader sees the end
    if (tty) await resize(engine, exec, tty.cols, tty.rows);
    return executionOf({ engine, container, exec, stream, mark, hasTerminal: tty !== null });
  } catch (error) {
    const status = statusOf(error);
    if (status === null) throw error;
    if (status === 404 || status === 409) throw new ExecRefused("its container is not running");
    throw new ExecRefused(`the engine says: ${messageOf(error).trim()}`);
  }
}

interface StartedExec {
  engine: Engine;
  container: string;
  exec: Dockerode.Exec;
  stream: Duplex;
  mark: string;
  hasTerminal: boolean;
}

function executionOf({ engine, container, exec, stream, mark, ...rest }: StartedExec): Execution {
  // Null if it has gone, as it does with its container.
  const inspect = () =>
    unlessMissing(engine.callWithin((docker) => docker.getExec(exec.id).inspect()));
  return {
    output: rest.hasTerminal ? terminal(stream) : outputs(stream),
    async write(bytes) {
      if (stream.destroyed || stream.writableEnded || stream.write(bytes)) return;
      await drained(stream);
    },
    endInput: () => void stream.end(),
    resize: (cols, rows) => resize(engine, exec, cols, rows),
    async exitCode() {
      return (await inspect())?.ExitCode ?? null;
    },
    async end() {
      stream.destroy();
      if ((await inspect())?.Running) await killMarked(engine, container, mark);
    },
  };
}

async function resize(engine: Engine, exec: Dockerode.Exec, w: number, h: number): Promise<void> {
  // The command may have ended, or may not have started yet.
  await engine.callWithin((docker) => docker.getExec(exec.id).resize({ w, h })).catch(() => {});
}

async function killMarked(engine: Engine, container: string, mark: string): Promise<void> {
  const ending = await engine.callWithin((docker) =>
    docker.getContainer(container).exec({
      Cmd: ["sh", "-c", KILL_MARKED_SCRIPT, "sh", `${MARK_VARIABLE}=${mark}.`],
      User: "0",
    }),
  );
  const answer = (await engine.callWithin((docker) =>
    docker.getExec(ending.id).start({ Detach: true }),
  )) as Duplex;
  answer.destroy();
}

async function* terminal(stream: Duplex): Execution["output"] & AsyncGenerator {
  try {
    for await (const bytes of stream) yield { output: "stdout" as const, bytes: bytes as Buffer };
  } catch {
    // The connection broke, or the command was ended.
  }
}

async function* outputs(stream: Duplex): Execution["output"] & AsyncGenerator {
  let rest: Buffer = Buffer.alloc(0);
  for await (const { bytes } of terminal(stream)) {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    while (rest.length >= HEADER_BYTES) {
      const to = HEADER_BYTES + rest.readUInt32BE(4);
      if (rest.length < to) break;
      const output = rest[0] === 2 ? ("stderr" as const) : ("stdout" as const);
      yield { output, bytes: rest.subarray(HEADER_BYTES, to) };
      rest = rest.subarray(to);
    }
  }
}
