// The thread of SimulatedShells. It interprets the commands of all simulated Pods; nothing that it runs is a program
// of this machine.

import { parentPort } from "node:worker_threads";
import type { IFileSystem } from "just-bash/browser";
import type { FromThread, SimulatedPodFacts, ToThread } from "../messages.ts";
import { ShellCommand } from "./command.ts";
import { FILE_SERVER, FileServer } from "./file-server.ts";
import { OutputWindow } from "./output-window.ts";
import { openPodFiles } from "./pod-files.ts";
import { ShellSession } from "./session.ts";

type Start = Extract<ToThread, { kind: "start" }>;

const files = new Map<string, Promise<IFileSystem>>();
const commands = new Map<number, { command: ShellCommand | FileServer; output: OutputWindow }>();
const sleeps = new Map<number, () => void>();
let lastSleep = 0;

const post = (message: FromThread) => parentPort!.postMessage(message);

parentPort!.on("message", (message: ToThread) => {
  switch (message.kind) {
    case "start":
      return void start(message);
    case "input":
      return void take(message.run, message.bytes);
    case "endInput":
      return commands.get(message.run)?.command.endInput();
    case "read":
      return commands.get(message.run)?.output.release(message.bytes);
    case "end":
      return end(message.run);
    case "ping":
      return post({ kind: "pong" });
    case "slept":
      sleeps.get(message.reply)?.();
      return sleeps.delete(message.reply);
    case "forget":
      return files.delete(message.pod);
  }
});

async function start({ run, pod, request }: Start): Promise<void> {
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      sleeps.set(++lastSleep, resolve);
      post({ kind: "sleep", run, reply: lastSleep, ms });
    });
  const output = new OutputWindow((kind, bytes) =>
    post({ kind: "output", run, output: kind, bytes }),
  );
  const isServer = request.command[0] === FILE_SERVER;
  const command = isServer
    ? new FileServer(filesOf(pod), output)
    : new ShellCommand({ output, hostname: pod.id }, request);
  commands.set(run, { command, output });
  let exitCode: number | null = null;
  try {
    if (command instanceof FileServer) await command.ended;
    else {
      const isInteractive = request.tty !== null;
      const session = new ShellSession({
        facts: pod,
        files: await filesOf(pod),
        sleep,
        isInteractive,
      });
      exitCode = await command.run(session);
    }
  } catch (error) {
    output.send("stderr", Buffer.from(`bash: ${(error as Error).message}\n`));
  } finally {
    commands.delete(run);
    post({ kind: "exit", run, exitCode });
  }
}

async function take(run: number, bytes: Uint8Array): Promise<void> {
  await commands.get(run)?.command.write(bytes);
  post({ kind: "taken", run });
}

function end(run: number): void {
  const { command, output } = commands.get(run) ?? {};
  output?.close();
  command?.end();
}

function filesOf(pod: SimulatedPodFacts): Promise<IFileSystem> {
  const open = files.get(pod.id) ?? openPodFiles(pod);
  files.set(pod.id, open);
  return open;
}
