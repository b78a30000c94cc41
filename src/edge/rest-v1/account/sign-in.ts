// Route of /v1/sign-in.

import type { FastifyInstance } from "fastify";
import { signInOperations } from "../../../contract/rest-v1/account/sign-in.ts";
import { isSignInProblemCode, signInProblems } from "../../../domain/sign-in/problem.ts";
import type { RestDeps } from "../../management/deps.ts";
import { serve } from "../../management/serve/serve.ts";

export function signInWaysRoutes(app: FastifyInstance, { signInProvider }: RestDeps): void {
  serve(app, signInOperations, {
    readSignInWays: async ({ query: { problem = "" } }) => ({
      provider: signInProvider,
      problem: isSignInProblemCode(problem) ? signInProblems[problem] : null,
    }),
  });
}
