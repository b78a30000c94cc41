// What a job's error says to people. The SDKs post an exception as a string of JSON, of which its
// type and message say enough.

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
