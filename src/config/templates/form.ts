// The schema of an official template's file: the fields of a template, without those that belong to an
// account.

import Type, { type Static } from "typebox";
import { TAKES } from "../../contract/fields.ts";
import { templateCreate } from "../../contract/rest-v1/template/template.ts";

const { containerRegistryAuthId: _, isPublic: __, ...templateFields } = templateCreate.properties;

/** Ids of the accounts' own templates are excluded, so that an official one never hides them. */
const id = Type.String({
  pattern: "^(?!hello$)(?![a-z0-9]{10}$)[A-Za-z0-9_-]{1,64}$",
  [TAKES]:
    '1 to 64 letters, digits, "-" and "_", and neither "hello" nor 10 lower-case letters and ' +
    "digits, which are ids of the accounts' templates",
});

const optional = Type.Partial(
  Type.Object({
    aliases: Type.Array(id),
    startSsh: Type.Boolean(),
    startJupyter: Type.Boolean(),
    minGpuMemoryInGb: Type.Integer({ minimum: 1, maximum: 1_024 }),
    allowedCudaVersions: Type.Array(
      Type.String({ pattern: "^\\d+\\.\\d+$", [TAKES]: "a version such as 12.8" }),
    ),
  }),
);

export const officialTemplateForm = Type.Object(
  { id, ...templateFields, ...optional.properties },
  { additionalProperties: false },
);
export type OfficialTemplateForm = Static<typeof officialTemplateForm>;
