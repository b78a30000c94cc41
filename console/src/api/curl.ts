// What a page does, as a command: the same request with a key of one's own.

export function curl(method: string, path: string, body?: unknown): string {
  const lines = [
    `curl -s ${method === "GET" ? "" : `-X ${method} `}${window.location.origin}${path}`,
    '-H "Authorization: Bearer $FREEHOLD_KEY"',
  ];
  if (body !== undefined) {
    lines.push(
      '-H "Content-Type: application/json"',
      `-d ${quoted(JSON.stringify(body, null, 2))}`,
    );
  }
  return lines.join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
