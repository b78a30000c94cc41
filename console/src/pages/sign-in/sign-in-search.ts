// The parameters of the sign-in page's address.

interface SignInSearch {
  /** The address to open after signing in. */
  next?: string;
  /** Why a sign-in with the provider failed, as a code. */
  problem?: string;
}

export const parseSignInSearch = ({ next, problem }: Record<string, unknown>): SignInSearch => ({
  ...(typeof next === "string" && { next }),
  ...(typeof problem === "string" && { problem }),
});
