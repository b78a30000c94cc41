// The error response of REST v2: a problem document.

import Type, { type Static } from "typebox";

export const problem = Type.Object(
  {
    title: Type.String({ description: "The reason phrase of the status." }),
    status: Type.Integer({ description: "The HTTP status." }),
    detail: Type.String({ description: "What is wrong and what would be valid." }),
    errors: Type.Optional(
      Type.Array(Type.String(), {
        description: 'One entry per invalid field, in the form "$.path: complaint".',
      }),
    ),
    code: Type.String({
      description: "The error code, for programs; docs/errors.md lists all codes.",
    }),
    why: Type.Optional(
      Type.Array(Type.Object({ machineId: Type.String(), reason: Type.String() }), {
        description: "If no machine fits, the reason for each machine.",
      }),
    ),
  },
  { title: "Problem" },
);
export type Problem = Static<typeof problem>;
