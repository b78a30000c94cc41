// The mail server that sends notifications.

import type { MailSettings } from "../loops/notifications/mail-sender.ts";
import type { Given } from "./settings.ts";

/** Null if neither setting is there. */
export function readMail(setting: Given, errors: string[]): MailSettings | null {
  const [url, from] = [setting("smtpUrl"), setting("mailFrom")];
  if (url === null && from === null) return null;
  if (url === null || from === null) {
    const missing = url === null ? "FREEHOLD_SMTP_URL" : "FREEHOLD_MAIL_FROM";
    errors.push(
      `${missing} is not set; e-mail needs both FREEHOLD_SMTP_URL and FREEHOLD_MAIL_FROM`,
    );
    return null;
  }
  // The address is not quoted, because it may hold a password.
  if (!URL.canParse(url) || !/^smtps?:\/\/[^/]/.test(url)) {
    errors.push(
      "FREEHOLD_SMTP_URL takes smtp://user:password@host:587 or smtps://user:password@host:465",
    );
  }
  if (!/^[^@<>\r\n]+@[^@<>\s]+$|^[^<>\r\n]*<[^@<>\s]+@[^@<>\s]+>$/.test(from)) {
    errors.push(
      `FREEHOLD_MAIL_FROM is "${from}"; it takes freehold@example.org or Freehold <freehold@example.org>`,
    );
  }
  return { url, from };
}
