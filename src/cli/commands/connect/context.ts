// `freehold context`: lists the known Freeholds, chooses the one that commands use, or forgets one.

import { contextNamed, LOCAL, readContexts, writeContexts } from "../../context/contexts.ts";
import { type Printing, printDone, printList } from "../../output/answer.ts";
import { defineCommand } from "../../program/define-command.ts";

export const { usage, run } = defineCommand("context", (program) => {
  const list = program
    .command("list", { isDefault: true })
    .description("list contexts; the default");
  const use = program.command("use").description("use a context from now on");
  const remove = program.command("delete").description("forget a context; its key stays valid");
  for (const each of [use, remove]) each.argument("<name>", `the name of a context, or ${LOCAL}`);
  for (const each of [list, use, remove]) {
    each.option("--json", "the answer as JSON").option("-q, --quiet", "only names, or nothing");
  }
  list.action(listContexts);
  use.action(useContext);
  remove.action(deleteContext);
});

function listContexts(values: Printing): void {
  const { current, contexts } = readContexts(process.env);
  const rows = [
    { name: LOCAL, url: null as string | null, current: current === null },
    ...Object.entries(contexts).map(([name, { url }]) => ({
      name,
      url,
      current: name === current,
    })),
  ];
  const columns = [
    ["CURRENT", (row: (typeof rows)[number]) => (row.current ? "*" : " ")],
    ["NAME", (row: (typeof rows)[number]) => row.name],
    ["ADDRESS", (row: (typeof rows)[number]) => row.url ?? "the data folder"],
  ] as const;
  printList(rows, columns, ({ name }) => name, values);
}

function useContext(name: string, values: Printing): void {
  const known = readContexts(process.env);
  if (name !== LOCAL) contextNamed(known, name);
  writeContexts(process.env, { ...known, current: name === LOCAL ? null : name });
  printDone(`${name} is the current context`, { name }, values);
}

function deleteContext(name: string, values: Printing): void {
  const { current, contexts } = readContexts(process.env);
  contextNamed({ current, contexts }, name);
  const { [name]: _, ...rest } = contexts;
  writeContexts(process.env, { current: current === name ? null : current, contexts: rest });
  printDone(`${name} is forgotten`, { name }, values);
}
