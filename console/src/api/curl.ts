// Requests as curl commands with an API key.

import { formatJson } from "../exact-json.ts";

export function curl(method: string, path: string, body?: unknown): string {
  const lines = [
    `curl -s ${method === "GET" ? "" : `-X ${method} `}${window.location.origin}${path}`,
    '-H "Authorization: Bearer $FREEHOLD_KEY"',
  ];
  if (body !== undefined) {
    lines.push('-H "Content-Type: application/json"', `-d ${shellQuote(formatJson(body))}`);
  }
  return lines.join(" \\\n  ");
}

/** One word of a shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
