// The installation itself, for the operator.

import Type from "typebox";
import { instant } from "../../fields.ts";
import type { Operations } from "../../operation.ts";

const bytes = (description: string) => Type.Integer({ minimum: 0, description });

const installation = Type.Object(
  {
    database: Type.Enum(["sqlite", "postgresql"]),
    dataFolder: Type.Object({
      path: Type.String({ description: "On the machine of the replica that answers." }),
      bytes: bytes("The size of the files in it, as far as the service can read it."),
      partial: Type.Boolean({ description: "Whether only the first 20,000 files are counted." }),
      freeBytes: bytes("The room that its disk has left."),
    }),
    lastBackup: Type.Union(
      [
        Type.Object({
          file: Type.String({ description: "Where `freehold backup` wrote it." }),
          bytes: bytes("Its size."),
          createdAt: instant,
          present: Type.Boolean({
            description:
              "Whether the service sees the file. Under systemd it sees none in /home, /root and /tmp.",
          }),
        }),
        Type.Null(),
      ],
      {
        description:
          "The last backup by `freehold backup` from this data folder; null if there is none, and on " +
          "PostgreSQL, whose backups its own programs make.",
      },
    ),
  },
  { title: "Installation" },
);
export const installationOperations = {
  getInstallation: {
    method: "GET",
    path: "/v1/installation",
    tag: "Accounts",
    summary: "Read the data folder's size and the last backup",
    description: "Only the operator can call it.",
    needs: { of: "rest", access: "read", area: "account" },
    answer: { status: 200, description: "The installation.", schema: installation },
  },
} as const satisfies Operations;
