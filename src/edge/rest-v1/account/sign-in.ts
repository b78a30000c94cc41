// Route of /v1/sign-in.

import type { FastifyInstance } from "fastify";
import { signInOperations } from "../../../contract/rest-v1/account/sign-in.ts";
import { isSignInProblemCode, signInProblems } from "../../../domain/sign-in/problem.ts";
import { serveOperations } from "../../management/serve/serve.ts";

interface Deps {
  /** The organization's sign-in provider, and the page that leads to it; null if there is none. */
  signInProvider: { name: string; url: string } | null;
}

export function signInWaysRoutes(app: FastifyInstance, { signInProvider }: Deps): void {
  serveOperations(app, signInOperations, {
    readSignInWays: async ({ query: { problem = "" } }) => ({
      provider: signInProvider,
      problem: isSignInProblemCode(problem) ? signInProblems[problem] : null,
    }),
  });
}
