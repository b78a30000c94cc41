// Sends notifications as e-mail over the operator's mail server. The library loads with the first message.

import { type Clock, Deadline, LATE, within } from "../../base/clock.ts";
import type { DeliveryAttempt } from "../deliveries/deliver.ts";

export interface MailSettings {
  /** smtp://user:password@host:587 or smtps://... */
  url: string;
  from: string;
}

export interface Mail {
  to: readonly string[];
  subject: string;
  text: string;
  /** Stays as it is in every try, so that mail programs recognize a message that came twice. */
  messageId: string;
}

interface MailOptions {
  clock: Clock;
  timeoutMs: number;
  /** Closes the connection; the try then fails. */
  signal: AbortSignal;
}

/** Makes one try; the status is the server's reply code. */
export async function sendMail(
  { url, from }: MailSettings,
  { to, subject, text, messageId }: Mail,
  { clock, timeoutMs, signal }: MailOptions,
): Promise<DeliveryAttempt> {
  const { createTransport } = await import("nodemailer");
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs };
  const security = needsTls(url) ? { requireTLS: true } : {};
  const transport = createTransport({ url, ...timeouts, socketTimeout: timeoutMs, ...security });
  try {
    const domain = from.slice(from.lastIndexOf("@") + 1).replace(/>$/, "");
    const message = {
      from,
      to: [...to],
      subject,
      text,
      messageId: `<${messageId}@${domain}>`,
      headers: { "auto-submitted": "auto-generated" },
    };
    const send = () => transport.sendMail(message).then(accepted, refused);
    const attempt = await within(new Deadline(clock, timeoutMs), send, signal);
    if (attempt !== LATE) return attempt;
    const tooLate = `no answer within ${timeoutMs / 1_000} s`;
    return { status: null, error: signal.aborted ? "the service is stopping" : tooLate };
  } finally {
    transport.close();
  }
}

/** A password goes only over TLS, except to this machine. */
function needsTls(text: string): boolean {
  const { protocol, username, hostname } = new URL(text);
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return protocol === "smtp:" && username !== "" && !isLocal;
}

interface Accepted {
  response: string;
  rejected: string[];
}

function accepted({ response, rejected }: Accepted): DeliveryAttempt {
  const status = replyCode(response);
  if (rejected.length === 0) return { status, error: null };
  // Another try would reach the others twice.
  return { status, error: `the server refused ${rejected.join(", ")}`, final: true };
}

interface MailError extends Error {
  response?: string;
  responseCode?: number;
  permanent?: boolean;
}

/** The error of a connection names host and port, and never the password. */
function refused({ message, response, responseCode, permanent }: MailError): DeliveryAttempt {
  const error = response === undefined ? message : `it answered ${response}`;
  const outcome = { status: responseCode ?? null, error: error.slice(0, 300) };
  return permanent ? { ...outcome, final: true } : outcome;
}

const replyCode = (response: string) => Number(response.slice(0, 3)) || null;
