// Reads server-sent events as a browser does.

export interface ServerEvent {
  id: string | null;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  data: any;
}

export interface EventReader {
  status: number;
  type: string;
  /** The next event; null once the stream has ended. */
  next(): Promise<ServerEvent | null>;
  /** Events up to and with the first that fits. */
  until(fits: (event: ServerEvent) => boolean): Promise<ServerEvent[]>;
  close(): void;
}

export async function readEvents(
  url: string,
  headers: Record<string, string>,
): Promise<EventReader> {
  const gone = new AbortController();
  const answer = await fetch(url, { headers, signal: gone.signal });
  const events = parse(answer.body!);
  const next = async () => {
    const { value, done } = await events.next();
    return done ? null : value;
  };
  return {
    status: answer.status,
    type: answer.headers.get("content-type") ?? "",
    next,
    async until(fits) {
      const seen: ServerEvent[] = [];
      for (;;) {
        const event = await next();
        if (event === null) throw new Error(`it ended after ${JSON.stringify(seen)}`);
        seen.push(event);
        if (fits(event)) return seen;
      }
    },
    close: () => gone.abort(),
  };
}

async function* parse(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const piece of body) {
    const all = (rest + decoder.decode(piece, { stream: true })).split("\n\n");
    rest = all.pop()!;
    for (const block of all) {
      const lines = block.split("\n").filter((line) => !line.startsWith(":"));
      if (lines.length === 0) continue;
      const member = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      yield {
        id: member("id") ?? null,
        event: member("event") ?? "message",
        data: JSON.parse(member("data") ?? "null"),
      };
    }
  }
}
