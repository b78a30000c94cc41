// The ways to sign in to the console.

import Type from "typebox";
import type { Operations } from "../../operation.ts";

const signInWays = Type.Object(
  {
    provider: Type.Union(
      [
        Type.Object({
          name: Type.String({ description: "The name that the operator gave the provider." }),
          url: Type.String({
            description:
              "The page that leads to the provider. The query parameter next is the path to open afterwards.",
          }),
        }),
        Type.Null(),
      ],
      { description: "The organization's sign-in provider; null if there is none." },
    ),
    passwords: Type.Boolean({ description: "Whether members can sign in with a password." }),
    problem: Type.Union([Type.String(), Type.Null()], {
      description: "What the code of the query means, for the person; null without one.",
    }),
  },
  { title: "SignInWays" },
);
const query = Type.Partial(
  Type.Object({
    problem: Type.String({
      maxLength: 40,
      description: "The code with which a sign-in led back to the sign-in page.",
    }),
  }),
);

export const signInOperations = {
  readSignInWays: {
    method: "GET",
    path: "/v1/sign-in",
    tag: "Sessions",
    summary: "Read the ways to sign in",
    needs: "nothing",
    query,
    answer: { status: 200, description: "The ways to sign in.", schema: signInWays },
  },
} as const satisfies Operations;
