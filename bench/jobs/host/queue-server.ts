// Servers that a peer's queue stores in, each on a free port with its files in a given folder.
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export interface QueueServer {
  name: string;
  pid: number;
  /** What its client connects to. */
  url: string;
  stop(): Promise<void>;
}

/** Waits until a server answers `request` with a text that begins with `reply`. */
export async function untilAnswered(port: number, request: string, reply: string): Promise<void> {
  for (let attempt = 0; !(await answers(port, request, reply)); attempt++) {
    if (attempt === 100) throw new Error(`no server on port ${port} within five seconds`);
    await pause(50);
  }
}

function answers(port: number, request: string, reply: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    socket.once("data", (data) => {
      socket.destroy();
      resolve(data.toString("latin1").startsWith(reply));
    });
    socket.once("error", () => resolve(false));
  });
}
