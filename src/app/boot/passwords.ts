// Passwords of members, with the operator's mail server for links.

import type { Clock } from "../../base/clock.ts";
import { randomIds } from "../../base/ids.ts";
import type { Logger } from "../../base/log.ts";
import type { Vault } from "../../base/vault.ts";
import type { Config } from "../../config/config.ts";
import { hasArgon2, PasswordHasher } from "../../flows/password/password-hasher.ts";
import type { Passwords } from "../../flows/password/passwords.ts";
import { SignInTries } from "../../flows/password/sign-in-tries.ts";
import { sendMail } from "../../loops/notifications/mail-sender.ts";
import type { Store } from "../../store/engine/store.ts";

interface Parts {
  config: Config;
  store: Store;
  clock: Clock;
  vault: Vault;
  log: Logger;
}

/** Null if the installation has none. */
export function openPasswords(parts: Parts): Passwords | null {
  const { config, log } = parts;
  if (!config.passwords) return null;
  if (!hasArgon2) {
    const { version } = process;
    log.warn(
      { version },
      `passwords are off: they need Node 24.7 or later, and this is ${version}`,
    );
    return null;
  }
  return {
    hasher: new PasswordHasher(),
    tries: new SignInTries(parts),
    issuer: config.oidc?.issuer ?? null,
    mail: mailSender(parts),
  };
}

/** One try: who asked for the link has it too, and can pass it on. */
function mailSender({ config, clock, log }: Parts): Passwords["mail"] {
  const { mail, protocol } = config;
  if (mail === null) return null;
  const { signal } = new AbortController();
  const options = { clock, timeoutMs: protocol.webhookTimeoutMs, signal };
  return (to, subject, text) => {
    const message = { to: [to], subject, text, messageId: randomIds.short(25) };
    const report = (error: string) => log.warn({ to, error }, "a password link was not mailed");
    sendMail(mail, message, options).then(
      ({ error }) => error !== null && report(error),
      (error) => report(String(error)),
    );
  };
}
