// The server-sent events of a response.

export interface ServerEvent {
  event: string;
  id: string | null;
  data: string;
}

export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const event = eventIn(text.slice(0, end));
      text = text.slice(end + 2);
      if (event) yield event;
    }
  }
}

/** Null for a comment, which keeps the connection alive. */
function eventIn(block: string): ServerEvent | null {
  const fields = block.split("\n").map((line) => /^(\w+): ?(.*)$/s.exec(line));
  const valuesOf = (name: string) =>
    fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ""] : []));
  const data = valuesOf("data");
  const [event = "message"] = valuesOf("event");
  if (data.length === 0 && event === "message") return null;
  return { event, id: valuesOf("id")[0] ?? null, data: data.join("\n") };
}
