// The faults of passwords and one-time codes, a part of the fault catalog.

import { caller, state } from "./row.ts";

export const passwordFaults = {
  sign_in_failed: caller(401, "The e-mail address or the password is not right."),
  code_required: caller(
    401,
    'This sign-in needs a one-time code of your authenticator app, or a recovery code, in "code".',
  ),
  code_refused: caller(
    403,
    "The code is not right, or it was used before; wait for the next one of your app.",
  ),
  password_wrong: caller(403, "The current password is not right."),
  passwords_off: state(403, "This installation has no passwords: FREEHOLD_PASSWORDS is off."),
  passwords_of_provider: state(
    403,
    "{who} signs in with the organization's provider, and has no password here.",
  ),
  password_reset_over: state(
    404,
    "This link is not valid: it was used, replaced, or has expired. Ask for a new one.",
  ),
  several_accounts: caller(
    409,
    'This address and password sign in to several accounts: {accounts}. Name one in "accountId".',
  ),
  no_password: state(409, "You have no password; set one first."),
  totp_on: state(409, "One-time codes are on; remove them first to begin anew."),
  totp_not_begun: state(409, "There are no one-time codes to confirm; begin them first."),
  too_many_tries: caller(
    429,
    "Too many tries to sign in: {detail}. A key and the organization's provider still sign in.",
    true,
  ),
  password_refused: caller(400, "The password {detail}."),
};
