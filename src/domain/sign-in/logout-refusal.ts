// Why a logout that the provider asked for was refused.

/** What the answer says in its member `error`. */
export type LogoutRefusalCode = "invalid_request" | "temporarily_unavailable";

/** The message is for the log. */
export class LogoutRefusal extends Error {
  readonly code: LogoutRefusalCode;

  constructor(code: LogoutRefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}
