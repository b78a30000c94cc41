// A connection to a server that listens on the Pod's loopback address only, which nothing outside of
// the container reaches: a command in the container relays it.

import { Duplex } from "node:stream";
import { NotReached } from "../../domain/container/unreachable-port.ts";
import type { Execution } from "../pod/exec.ts";

/** Printed once the connection stands. */
const CONNECTED = "+";

/** Ends when the server closes. Most images have bash; those of BusyBox have nc. */
const RELAY = `command -v bash >/dev/null && exec bash -c '
exec 3<>/dev/tcp/127.0.0.1/$0 || exit 1
printf ${CONNECTED}
cat >&3 <&0 &
cat <&3
kill $! 2>/dev/null' "$0"
printf ${CONNECTED}
exec nc 127.0.0.1 "$0"`;

export const relayCommand = (port: number) => ["sh", "-c", RELAY, String(port)];

/** The relay as a connection; rejects with NotReached if nothing listens on the port. */
export async function connectRelay(execution: Execution): Promise<Duplex> {
  const output = stdoutOf(execution);
  const { value: first } = await output.next();
  if (first?.[0] !== CONNECTED.charCodeAt(0)) {
    await execution.end();
    throw new NotReached("refused");
  }
  const connection = new Duplex({
    read: () =>
      void output.next().then(
        ({ value }) => connection.push(value ?? null),
        (error) => connection.destroy(error),
      ),
    write: (bytes, _encoding, done) => void execution.write(bytes).then(() => done(), done),
    final(done) {
      execution.endInput();
      done();
    },
    destroy(error, done) {
      execution.end().catch(() => {}); // an unreachable engine has ended its commands too
      done(error);
    },
  });
  if (first.length > 1) connection.unshift(first.subarray(1));
  return connection;
}

async function* stdoutOf(execution: Execution): AsyncGenerator<Buffer, undefined> {
  for await (const { output, bytes } of execution.output) if (output === "stdout") yield bytes;
}
