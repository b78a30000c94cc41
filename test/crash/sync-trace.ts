// Reads a trace of system calls and answers one question: was the disk synced between the write of
// a row and the response that acknowledged it? A killed process does not lose what the kernel has
// buffered, but a machine without power does, so kills cannot test this.

export interface Trace {
  calls: Call[];
}

interface Call extends Seen {
  /** The number of completed calls when it began. */
  begunAt: number;
}

interface Seen {
  kind: "request" | "reply" | "wal" | "sync";
  fd: string;
  /** The data that was read or written, as strace prints it: printable characters are unchanged. */
  text: string;
}

/** The calls that strace records, with file names and complete pages. */
export const STRACE = [
  "strace",
  "-D",
  "-f",
  "-y",
  "-s",
  "9000",
  "-e",
  "trace=read,write,writev,sendto,sendmsg,pwrite64,fsync,fdatasync",
];

const LINE = /^(\d+) +(\w+)\((\d+)<([^>]*)>(.*)$/;
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>(.*)$/;

/** The calls of all threads, by completion. A sync covers only earlier writes. */
export function parseTrace(text: string): Trace {
  const lines = text.split("\n");
  const calls: Call[] = [];
  const begun = new Map<string, { found: RegExpExecArray; at: number }>();
  for (const line of lines) {
    const thread = line.split(" ", 1)[0]!;
    const resumed = RESUMED.exec(line);
    const earlier = resumed ? begun.get(thread) : undefined;
    const found = earlier ? earlier.found : LINE.exec(line);
    if (!found) continue;
    const at = earlier?.at ?? calls.length;
    begun.set(thread, { found, at });
    if (line.endsWith("<unfinished ...>")) continue;
    const rest = resumed ? found[5]! + resumed[3]! : found[5]!;
    const call = callOf(found[2]!, found[3]!, found[4]!, rest);
    if (call) calls.push({ ...call, begunAt: at });
  }
  return { calls };
}

function callOf(name: string, fd: string, file: string, rest: string): Seen | null {
  const result = Number(/= (-?\d+)[^=]*$/.exec(rest)?.[1] ?? -1);
  if (result < 0) return null;
  const call = { fd: `${fd}<${file}>`, text: rest };
  if (file.endsWith("-wal")) {
    if (name === "pwrite64") return { kind: "wal", ...call };
    return name === "fsync" || name === "fdatasync" ? { kind: "sync", ...call } : null;
  }
  if (!/^(?:socket|TCP)/.test(file)) return null;
  if (name === "read") return result > 0 ? { kind: "request", ...call } : null;
  return rest.includes("HTTP/1.1 ") ? { kind: "reply", ...call } : null;
}

/**
 * The violation of the acknowledgement whose request or response contains the token, or null. The
 * write must follow the request: an earlier row would prove nothing.
 */
export function unsynced({ calls }: Trace, kind: "request" | "reply", token: string) {
  const found = calls.findIndex((call) => call.kind === kind && call.text.includes(token));
  if (found === -1) return `${token}: the trace has no such ${kind}`;
  const { fd } = calls[found]!;
  const on = (wanted: Call["kind"]) => (call: Call) => call.fd === fd && call.kind === wanted;
  const from = kind === "request" ? found : calls.slice(0, found).findLastIndex(on("request"));
  const to = kind === "reply" ? found : calls.findIndex((c, at) => at > found && on("reply")(c));
  const between = calls.slice(from, to);
  const written = between.findLastIndex(({ kind, text }) => kind === "wal" && text.includes(token));
  if (from === -1 || to === -1) return `${token}: it has no request and reply`;
  if (written === -1) return `${token}: it was acknowledged before it was written`;
  const synced = syncedBetween(calls, from + written, to);
  return synced ? null : `${token}: it was acknowledged before the disk was synced`;
}

/** The violation of the first response that shows the token to a caller, or null. */
export function shownUnsynced({ calls }: Trace, token: string): string | null {
  const holds = (kind: Call["kind"]) => (call: Call) =>
    call.kind === kind && call.text.includes(token);
  const to = calls.findIndex(holds("reply"));
  const written = calls.slice(0, to).findIndex(holds("wal"));
  if (to === -1) return `${token}: the trace has no reply that shows it`;
  if (written === -1) return `${token}: it was shown before it was written`;
  return syncedBetween(calls, written, to) ? null : `${token}: it was shown before its sync`;
}

/** Whether a sync began after one call and completed before another. */
function syncedBetween(calls: Call[], written: number, to: number): boolean {
  return calls.slice(written, to).some((call) => call.kind === "sync" && call.begunAt > written);
}
