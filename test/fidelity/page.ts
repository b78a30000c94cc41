// Generates docs/fidelity.md from the operations that clients' tests have recorded.

import { differences, engineDifferences } from "./differences.ts";
import { type Interface, interfaces } from "./operations.ts";
import { type Proven, readProven } from "./witness.ts";

export function fidelityPage(): string {
  const proven = readProven();
  const tests = proven.reduce((sum, each) => sum + Object.keys(each.tests).length, 0);
  return `# Fidelity

The operations that unmodified public clients are proven to work with. The test suite runs ${proven.length} of them in
${tests} tests and watches the wire: an operation is proven if a client called it and got a successful response, and a
client whose operation stops working fails its test. This page is generated from the recorded operations
(\`test/fidelity/\`). "Unproven" says that no such client calls the operation in a test; Freehold's own tests do.

${proven.map((each, n) => `${n + 1}. ${each.client}`).join("\n")}

## Clients by interface

The newest clients speak REST v2, earlier ones REST v1 or GraphQL; all of them work on the same resources. A number is
how many operations of the interface the client is proven with.

${clientTable(proven)}

## With and without a container engine

The suites run on a real container engine, and on a machine without one, where Pods and workers are
[simulated](simulated-driver.md). A number is how many operations the client is proven with there.

${engineTable(proven)}

Where the two differ, this is why:

| client | why |
| --- | --- |
${engineDifferences.map(({ clients, why }) => `| ${clients} | ${why} |`).join("\n")}

${interfaces()
  .map((each) => section(each, proven))
  .join("\n\n")}

Freehold's own routes (jobs, keys, machines, \`why\` and more) are in the [API document](openapi.json).

## Deliberately different

| what | here | why |
| --- | --- | --- |
${differences.map(({ what, here, why }) => `| ${what} | ${here} | ${why} |`).join("\n")}
`;
}

function clientTable(proven: Proven[]): string {
  const all = interfaces();
  const head = ["client", ...all.map(({ title }) => title)];
  const rows = proven.map(({ client, tests }) => {
    const used = new Set(Object.values(tests).flat());
    const counts = all.map(({ operations }) => operations.filter((name) => used.has(name)).length);
    return [client, ...counts.map((count) => (count === 0 ? "" : `${count}`))];
  });
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function engineTable(proven: Proven[]): string {
  const cell = (names: Set<string>) => (names.size === 0 ? "" : `${names.size}`);
  const rows = proven.map((each) => {
    const { withEngine, without } = byEngine(each);
    return `| ${each.client} | ${cell(withEngine)} | ${cell(without)} |`;
  });
  return ["| client | with an engine | without |", "| --- | ---: | ---: |", ...rows].join("\n");
}

/** The operations that a client is proven with on a container engine, and without one. */
export function byEngine({ tests, withEngine }: Proven) {
  const all = Object.entries(tests);
  const used = (hasEngine: boolean) =>
    new Set(all.flatMap(([test, names]) => (withEngine.includes(test) === hasEngine ? names : [])));
  return { withEngine: used(true), without: used(false) };
}

function section({ title, operations }: Interface, proven: Proven[]): string {
  const rows = operations.map((name) => ({ name, by: provenBy(name, proven) }));
  const good = rows.filter(({ by }) => by !== "");
  const open = rows.filter(({ by }) => by === "").map(({ name }) => `\`${name}\``);
  const table = good.map(({ name, by }) => `| \`${name}\` | ${by} |`);
  const parts = [`## ${title}`, `${good.length} of ${rows.length} proven.`];
  if (good.length > 0)
    parts.push(["| operation | proven by |", "| --- | --- |", ...table].join("\n"));
  if (open.length > 0) parts.push(`Unproven: ${open.join(", ")}.`);
  return parts.join("\n\n");
}

function provenBy(name: string, proven: Proven[]): string {
  return proven
    .flatMap(({ tests }, n) =>
      Object.values(tests).some((all) => all.includes(name)) ? [n + 1] : [],
    )
    .join(", ");
}
