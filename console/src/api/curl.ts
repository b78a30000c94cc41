// Requests as curl commands with an API key.

export function curl(method: string, path: string, body?: unknown): string {
  const lines = [
    `curl -s ${method === "GET" ? "" : `-X ${method} `}${window.location.origin}${path}`,
    '-H "Authorization: Bearer $FREEHOLD_KEY"',
  ];
  if (body !== undefined) {
    lines.push(
      '-H "Content-Type: application/json"',
      `-d ${shellQuote(JSON.stringify(body, null, 2))}`,
    );
  }
  return lines.join(" \\\n  ");
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
