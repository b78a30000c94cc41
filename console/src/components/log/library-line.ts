// A worker library's line of a log, which is JSON, as its message with its level and the id of its job.

interface LibraryLine {
  text: string;
  level?: string;
}

const MEMBERS = new Set(["requestId", "message", "level"]);

/** Any other line, or one with further members, stays as it is. */
export function parseLibraryLine(text: string): LibraryLine {
  if (!text.startsWith("{") || !text.includes('"requestId"')) return { text };
  try {
    const line = JSON.parse(text) as Record<string, unknown>;
    const { requestId, message, level } = line;
    const isKnown = Object.keys(line).every((name) => MEMBERS.has(name));
    if (!isKnown || typeof message !== "string") return { text };
    return {
      text: typeof requestId === "string" ? `${message} · job ${requestId}` : message,
      ...(typeof level === "string" && { level }),
    };
  } catch {
    return { text };
  }
}
