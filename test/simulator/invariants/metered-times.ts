// What holds for the times of usages: whatever was seen running is paid for at that instant, whatever an engine's clock says.

import type { Simulation } from "../model.ts";
import type { World } from "../world/world.ts";
import { type Invariant, query, violate } from "./invariant.ts";
import type { UsageRow } from "./money.ts";

interface Observed {
  first: number;
  last: number;
}

const RUNNING = `
  select id from pod where state = 'RUNNING' and observed = 'running' and covered_gpus = 0 and running_rate > 0
  union all
  select id from worker where observed = 'running' and rate > 0`;

export function meteredTimeInvariants(): Invariant[] {
  const observations = new Map<string, Observed>();
  let setBy = 0;
  return [
    async (simulation) => {
      const { world } = simulation;
      if (world.setByMs !== setBy) observations.clear(); // instants before and after cannot be compared
      setBy = world.setByMs;
      const usages = await query<UsageRow>(
        simulation,
        "select id, resource_id, began_at, ended_at, metered_to from usage",
      );
      for (const usage of usages)
        if ((usage.ended_at ?? usage.metered_to) < usage.began_at)
          violate("a usage does not end before it begins", usage);
      const byResource = Map.groupBy(usages, ({ resource_id: id }) => id);
      for (const id of await seenRunning(simulation)) {
        const first = observations.get(id)?.first ?? world.now;
        observations.set(id, { first, last: world.now });
      }
      for (const [id, { first, last }] of observations)
        for (const at of [first, last])
          if (!byResource.get(id)?.some((usage) => covers(usage, at, world)))
            violate("what was seen running is paid for", { id, at, usages: byResource.get(id) });
    },
  ];
}

/** A usage that began before the clock was set back goes on after it. */
const covers = ({ began_at, ended_at }: UsageRow, at: number, world: World) =>
  (began_at <= at || world.mayPrecede(at, began_at)) && (ended_at === null || ended_at >= at);

/** By its driver and by the store. */
async function seenRunning(simulation: Simulation): Promise<string[]> {
  const { world } = simulation;
  if (world.now <= world.orderlySince) return [];
  const stored = new Set((await query<{ id: string }>(simulation, RUNNING)).map(({ id }) => id));
  const ids = [];
  for (const { driver } of world.serving)
    for (const { id, state } of await driver.list())
      if (state === "running" && stored.has(id)) ids.push(id);
  return ids;
}
