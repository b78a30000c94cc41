// The troubles of a service that allows them: by default one that only its machine reaches.

import { randomIds } from "../../base/ids.ts";
import { Troubles } from "../../flows/trouble/troubles.ts";
import type { Loop } from "../../loops/engine/loop.ts";
import { topic } from "../../store/engine/notifier.ts";
import { endTroubles } from "../../transactions/trouble/switch-trouble.ts";
import type { Parts } from "../service-parts.ts";

type Around = Pick<Parts, "config" | "store" | "clock" | "log" | "localTrust">;

export async function openTroubles({
  config,
  store,
  clock,
  log,
  localTrust,
}: Around): Promise<Troubles | null> {
  if (!(config.faults ?? config.isLocal)) return null;
  const troubles = new Troubles({ store, clock, log, random: randomIds.fraction });
  if (store.alone) await store.write(endTroubles);
  else await troubles.refresh();
  if (config.faults === null) {
    localTrust.onForwarded(() => {
      troubles.forbid();
      void store.write(endTroubles).catch((err) => log.error({ err }, "faults stay switched on"));
    });
  }
  return troubles;
}

/** Hears of what other replicas switch. */
export function followTroublesLoop(troubles: Troubles): Loop {
  return {
    name: "faults",
    shared: false,
    periodMs: 60_000,
    restMs: 0,
    topics: [topic.troubles],
    async run() {
      await troubles.refresh();
      return null;
    },
  };
}
