// Formats a worker's log line for a terminal. Workers write JSON objects for log collectors; people
// want the message.

/** Returns the line itself, or level, job and message if it is such an object. */
export function logLine(text: string): string {
  if (!text.startsWith("{")) return text;
  try {
    const { level, message, requestId } = JSON.parse(text) as Record<string, unknown>;
    if (typeof message !== "string" || typeof level !== "string") return text;
    const job = typeof requestId === "string" ? `${requestId}  ` : "";
    return `${level.padEnd(5)} ${job}${message}`;
  } catch {
    return text;
  }
}
