// Route of /v1/sign-in.

import type { FastifyInstance } from "fastify";
import { signInOperations } from "../../../contract/rest-v1/account/sign-in.ts";
import { isSignInProblemCode, signInProblems } from "../../../domain/sign-in/problem.ts";
import type { Passwords } from "../../../flows/password/passwords.ts";
import { serveOperations } from "../../management/serve/serve.ts";

interface Deps {
  /** The organization's sign-in provider, and the page that leads to it; null if there is none. */
  signInProvider: { name: string; url: string } | null;
  /** Null if the installation has no passwords. */
  passwords: Passwords | null;
}

export function signInWaysRoutes(app: FastifyInstance, deps: Deps): void {
  serveOperations(app, signInOperations, {
    readSignInWays: async ({ query: { problem = "" } }) => ({
      provider: deps.signInProvider,
      passwords: deps.passwords !== null,
      problem: isSignInProblemCode(problem) ? signInProblems[problem] : null,
    }),
  });
}
