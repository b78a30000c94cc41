// `freehold members remove <member>`: lists what belongs to the member, and hands it over, stops it or keeps it.

import type { Command as Program } from "commander";
import { UsageError } from "../../base/refusal.ts";
import { call, callList } from "../client/api.ts";
import { serviceFor } from "../context/choose-service.ts";
import { printDone, printList } from "../output/answer.ts";
import { addCommonOptions, type CommonValues } from "../program/common-options.ts";
import { findItem } from "../resources/find-item.ts";
import { withOwners } from "../resources/owner-column.ts";
import { type Item, pluralOf } from "../resources/resource.ts";
import { resources } from "../resources/resource-table.ts";

/** SSH keys, S3 keys and reservations end with the removal, and the Pods of clusters are among the Pods. */
const notListed = new Set(["clusters", "ssh-keys", "s3-keys", "reservations"]);
const ownedKinds = Object.entries(resources)
  .filter(([name, { filters }]) => filters?.createdBy && !notListed.has(name))
  .map(([, kind]) => kind);

interface Values extends CommonValues {
  handOverTo?: string;
  stop?: boolean;
  keep?: boolean;
}

export function addMemberRemoval(program: Program): void {
  const command = program
    .command("remove")
    .alias("delete")
    .description("remove a member: the keys end; what is theirs is handed over, stopped or kept")
    .argument("<member>", "an id or a name")
    .optionsGroup("What belongs to the member:")
    .option("--hand-over-to <member>", "give it to this member")
    .option("--stop", "stop Pods, endpoints and schedules; volumes are kept")
    .option("--keep", "leave it as it is, but pause schedules");
  addCommonOptions(command).action(remove);
}

async function remove(word: string, values: Values): Promise<void> {
  const service = await serviceFor(values);
  const kind = resources.members!;
  const { id, name } = await findItem(service, kind, word);
  const { handOverTo, stop = false, keep = false } = values;
  const heir = handOverTo === undefined ? null : await findItem(service, kind, handOverTo);
  if (keep && (heir || stop)) {
    throw new UsageError("--keep goes with neither --hand-over-to nor --stop");
  }
  const counts: string[] = [];
  for (const owned of ownedKinds) {
    const items = (await callList(service, owned.list, { query: { createdBy: id } })) as Item[];
    if (items.length === 0) continue;
    counts.push(`${items.length} ${items.length === 1 ? owned.noun : pluralOf(owned)}`);
    if (!values.json) printList(items, withOwners(owned, items), (item) => item.id, values);
  }
  if (counts.length > 0 && !heir && !stop && !keep) {
    const choices = "give --hand-over-to MEMBER, --stop or --keep";
    throw new UsageError(`${name} has ${counts.join(", ")}; ${choices}`);
  }
  await call(service, "DELETE /v1/members/{memberId}", {
    params: { memberId: id },
    query: { ...(heir && { handOverTo: heir.id }), ...(stop && { stop }) },
  });
  printDone(`member ${id} is removed`, { id }, values);
}
