// A mail server for tests: a real one on loopback, with a certificate that no authority signed.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { systemClock } from "../../src/base/clock.ts";
import { openAuthority } from "../../src/intercept/authority.ts";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** The message with its headers. */
  text: string;
  /** Whether it came over TLS, and the user that sent it. */
  secure: boolean;
  user: string | undefined;
}

export interface MailServer {
  port: number;
  received: ReceivedMail[];
}

/** Accepts the user "ada" with the password "secret". */
export async function startMailServer(
  t: TestContext,
  options: SMTPServerOptions = {},
): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const pem = selfSigned(t);
  const server = new SMTPServer({
    key: pem,
    cert: pem,
    authOptional: true,
    disableReverseLookup: true,
    onAuth({ username, password }, _, callback) {
      if (username === "ada" && password === "secret") callback(null, { user: username });
      else callback(new Error("wrong user or password"));
    },
    onData(stream, { envelope, secure, user }, callback) {
      const pieces: Buffer[] = [];
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      stream.on("end", () => {
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : "",
          to: envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(pieces).toString("utf8"),
          secure,
          user: user as string | undefined,
        });
        callback();
      });
    },
    ...options,
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => new Promise<void>((resolve) => server.close(resolve)));
  return { port: (server.server.address() as AddressInfo).port, received };
}

/** A key and a certificate that only its own key signed. */
function selfSigned(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-mail-"));
  t.after(() => rmSync(folder, { recursive: true }));
  openAuthority(folder, ["mail.example.org"], systemClock);
  return readFileSync(path.join(folder, "ca.pem"), "utf8");
}
