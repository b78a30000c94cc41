// Templates as the options of a select: the account's own, then the official ones below a heading.

import type { Schema } from "../../api/client.ts";

type Template = Schema["Template"];

export function templateOptions(
  none: string,
  templates: Template[],
  nameOf: (template: Template) => string = ({ name }) => name,
) {
  const optionsOf = (isOfficial: boolean) =>
    templates
      .filter(({ isRunpod }) => isRunpod === isOfficial)
      .map((each) => [each.id, nameOf(each)] as const);
  return {
    options: [["", none] as const, ...optionsOf(false)],
    group: { name: "Official templates", options: optionsOf(true) },
  };
}
