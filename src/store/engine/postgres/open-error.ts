// Errors of opening a database, as one sentence for the operator. The sentence names the server and the
// database, and never the password.

import { Fault } from "../../../domain/fault.ts";
import { UnsuitableServer } from "./wire/unsuitable-server.ts";
import { codeOf } from "./wire/verdict.ts";

export class OpenError extends Error {
  override readonly name = "OpenError";
}

export function openErrorOf(thrown: unknown, url: string): OpenError {
  const error = thrown instanceof Fault ? thrown.cause : thrown;
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = searchParams.get("host") ?? decodeURIComponent(hostname);
  const server = `PostgreSQL at ${host || "localhost"}:${port || 5432}`;
  return new OpenError(`${server} ${reasonOf(error, pathname.slice(1))}`);
}

function reasonOf(error: unknown, database: string): string {
  if (error instanceof UnsuitableServer) return error.message;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (message.startsWith("SASL") && message.includes("password must be")) {
    return "wants a password, and FREEHOLD_DATABASE_URL has none";
  }
  if (code.startsWith("28") || message.startsWith("SASL")) {
    return `refuses: ${message}; check user and password in FREEHOLD_DATABASE_URL`;
  }
  if (code === "3D000") {
    return `has no database "${decodeURIComponent(database)}"; create it, or name another in FREEHOLD_DATABASE_URL`;
  }
  if (code === "42501") return `refuses: ${message}; let the user own the database`;
  const isSystemError = /^E[A-Z]/.test(code);
  return `cannot be used: ${isSystemError ? code : message}`;
}
