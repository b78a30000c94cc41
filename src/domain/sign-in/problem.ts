// The ways in which a sign-in with the provider fails: a code, what the person reads, and what the log says.

const setUp = "Sign-in is not set up correctly. Tell your administrator";

/** What the person reads. The log has the details. */
export const signInProblems = {
  off: "This service has no sign-in with a provider.",
  provider_unavailable: "The sign-in provider does not answer. Try again in a few minutes.",
  denied: "The provider did not let you in.",
  not_begun:
    "This sign-in took longer than 10 minutes, or was begun in another window. Sign in again.",
  code_used: "This sign-in is already completed. Sign in again.",
  logged_out: "The provider ended your session during the sign-in. Sign in again.",
  wrong_issuer: `${setUp}: the answer came from another provider.`,
  wrong_audience: `${setUp}: the provider's answer was for another application.`,
  wrong_nonce: "The provider's answer belongs to another sign-in. Sign in again.",
  clock_skew:
    "The clocks of this service and of the provider differ by more than 2 minutes. Tell your administrator.",
  unknown_key: `${setUp}: the provider signed with a key that it does not publish.`,
  invalid_answer: `${setUp}: the provider's answer is not valid.`,
  wrong_client: `${setUp}: the provider does not accept this service.`,
  no_public_url: `${setUp}: it has no public URL.`,
  no_account: `${setUp}: your account does not exist.`,
  no_email: `${setUp}: the provider sent no e-mail address.`,
  no_groups: `${setUp}: the provider did not send your groups.`,
  no_role: "None of your groups may use this service. Ask your administrator for access.",
  role_conflict: "Your groups give you two roles that exclude each other. Tell your administrator.",
  email_taken:
    "Your e-mail address belongs to another member, or to an invitation. Ask your administrator to remove that, then sign in again.",
  account_full: "The account has no room for another member. Tell your administrator.",
  account_disabled: "The account is disabled. Ask your administrator.",
  service_unavailable:
    "The service cannot read its data at the moment. Try again in a few minutes.",
} as const;

export type SignInProblemCode = keyof typeof signInProblems;

export function isSignInProblemCode(text: string): text is SignInProblemCode {
  return Object.hasOwn(signInProblems, text);
}

/** The message is for the log. */
export class SignInProblem extends Error {
  readonly code: SignInProblemCode;

  constructor(code: SignInProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}
