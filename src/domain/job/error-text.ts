// A job's error as readable text. The SDKs post an exception as a JSON string; the text has its
// type and its message.

export function errorText(error: string): string {
  if (!error.startsWith("{")) return error;
  try {
    const { error_type: type, error_message: message } = JSON.parse(error) as Record<
      string,
      unknown
    >;
    if (typeof message !== "string") return error;
    const name = typeof type === "string" ? (/^<class '(.*)'>$/.exec(type)?.[1] ?? type) : null;
    return name ? `${name}: ${message}` : message;
  } catch {
    return error;
  }
}
