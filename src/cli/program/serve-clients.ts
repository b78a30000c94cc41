// A server of the command line, for as long as a command runs that is pointed at it, or until a signal.

import { clientVariables } from "../client-settings.ts";
import { runChild } from "./run-child.ts";

interface ClientServer {
  origin: string;
  /** The key that clients send. */
  key: string;
  close(): Promise<void>;
}

/** Sets the exit code to that of the command. */
export async function serveClients(
  { origin, key, close }: ClientServer,
  [program, ...args]: string[],
): Promise<void> {
  if (program === undefined) await untilSignal();
  else {
    const variables = clientVariables(origin, key).map(({ name, value }) => [name, value]);
    const env = { ...process.env, ...Object.fromEntries(variables) };
    process.exitCode = await runChild(program, args, env);
  }
  await close();
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve());
  });
}
