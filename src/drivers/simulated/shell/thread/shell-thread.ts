// The thread of SimulatedShells. It interprets the commands of all simulated Pods; nothing that it runs is a program
// of this machine.

import { parentPort } from "node:worker_threads";
import type { IFileSystem } from "just-bash/browser";
import { Command } from "../command.ts";
import type { FromThread, PodFacts, ToThread } from "../messages.ts";
import { FILE_SERVER, FileServer } from "./file-server.ts";
import { openPodFiles } from "./pod-files.ts";
import { Session } from "./session.ts";

type Start = Extract<ToThread, { kind: "start" }>;

const files = new Map<string, Promise<IFileSystem>>();
const commands = new Map<number, Command | FileServer>();
const sleeps = new Map<number, () => void>();
let lastSleep = 0;

const post = (message: FromThread) => parentPort!.postMessage(message);

parentPort!.on("message", (message: ToThread) => {
  switch (message.kind) {
    case "start":
      return void start(message);
    case "input":
      return commands.get(message.run)?.write(message.bytes);
    case "endInput":
      return commands.get(message.run)?.endInput();
    case "end":
      return commands.get(message.run)?.end();
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
  const send = (output: "stdout" | "stderr", bytes: Buffer) =>
    post({ kind: "output", run, output, bytes });
  const isServer = request.command[0] === FILE_SERVER;
  const command = isServer
    ? new FileServer(filesOf(pod), (line) => send("stdout", Buffer.from(line, "latin1")))
    : new Command({ send, hostname: pod.id }, request);
  commands.set(run, command);
  let exitCode: number | null = null;
  try {
    if (command instanceof FileServer) await command.ended;
    else {
      const isInteractive = request.tty !== null;
      const session = new Session({ facts: pod, files: await filesOf(pod), sleep, isInteractive });
      exitCode = await command.run(session);
    }
  } catch (error) {
    send("stderr", Buffer.from(`bash: ${(error as Error).message}\n`));
  } finally {
    commands.delete(run);
    post({ kind: "exit", run, exitCode });
  }
}

function filesOf(pod: PodFacts): Promise<IFileSystem> {
  const open = files.get(pod.id) ?? openPodFiles(pod);
  files.set(pod.id, open);
  return open;
}
