// What the worker's own tests begin with: a server, a world, and a worker that ends with the test.

import type { TestContext } from "node:test";
import type { ServeOptions } from "../handler.ts";
import { start } from "../start.ts";
import { type Answer, ProtocolServer } from "./protocol-server.ts";
import { VirtualWorld } from "./virtual-world.ts";

export async function raise<Input, Output>(
  t: TestContext,
  options: ServeOptions<Input, Output>,
  answer: Answer = () => null,
) {
  const server = await new ProtocolServer().open();
  server.answer = answer;
  const world = new VirtualWorld(server.env());
  const quit = new AbortController();
  const ended = start(world, { signal: quit.signal, ...options });
  t.after(async () => {
    quit.abort();
    await ended;
    await server.close();
  });
  /** Resolves once something was posted to job-done for each of the jobs. */
  const finished = (...ids: string[]) =>
    server.until(() => ids.every((id) => server.posts(id).length > 0));
  return { server, world, quit, ended, finished };
}

/** A promise that the test settles. */
export function gate<T = void>() {
  let open: (value: T) => void = () => {};
  const passed = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
