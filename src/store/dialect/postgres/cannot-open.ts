// Why a database could not be opened, in one sentence for the operator. It names the server and the
// database, and never the password.

import { codeOf } from "./faults.ts";

export class CannotOpen extends Error {
  override readonly name = "CannotOpen";
}

export function explain(error: unknown, url: string): CannotOpen {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = searchParams.get("host") ?? decodeURIComponent(hostname);
  const server = `PostgreSQL at ${host || "localhost"}:${port || 5432}`;
  const said = (error as Error).message;
  return new CannotOpen(`${server} ${reason(codeOf(error), said, pathname.slice(1))}`);
}

function reason(code: string, said: string, database: string): string {
  if (said.startsWith("SASL") && said.includes("password must be")) {
    return "wants a password, and FREEHOLD_DATABASE_URL has none";
  }
  if (code.startsWith("28") || said.startsWith("SASL")) {
    return `refuses: ${said}; check user and password in FREEHOLD_DATABASE_URL`;
  }
  if (code === "3D000") {
    return `has no database "${decodeURIComponent(database)}"; make it, or name another in FREEHOLD_DATABASE_URL`;
  }
  if (code === "42501") return `refuses: ${said}; let the user own the database`;
  const system = /^E[A-Z]/.test(code);
  return `cannot be used: ${system ? code : said}`;
}
