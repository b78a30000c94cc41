// Why a database could not be opened, in one sentence for the operator. It names the server and the
// database, and never the password.

import { codeOf } from "./faults.ts";

export class CannotOpen extends Error {
  override readonly name = "CannotOpen";
}

export function explain(error: unknown, url: string): CannotOpen {
  const { hostname, port, username, pathname } = new URL(url);
  const server = `PostgreSQL at ${hostname || "its socket"}:${port || 5432}`;
  const database = decodeURIComponent(pathname.slice(1));
  const code = codeOf(error);
  const said = (error as Error).message;
  if (code === "28P01" || code === "28000" || said.startsWith("SASL")) {
    return new CannotOpen(
      `${server} refuses the user "${decodeURIComponent(username)}"; check user and password in FREEHOLD_DATABASE_URL`,
    );
  }
  if (code === "3D000") {
    return new CannotOpen(
      `${server} has no database "${database}"; make it with createdb, or name another in FREEHOLD_DATABASE_URL`,
    );
  }
  if (code === "42501") {
    return new CannotOpen(
      `the user "${decodeURIComponent(username)}" may not make tables in the database "${database}": ${said}; let it own the database`,
    );
  }
  return new CannotOpen(`${server} cannot be reached: ${code || said}`);
}
