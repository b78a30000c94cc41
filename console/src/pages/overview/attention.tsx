// What needs somebody: machines that are gone, what crashes or finds no place, budgets and balances that
// run out.

import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { useMayLook } from "../../api/self.ts";
import { Ago } from "../../parts/ago.tsx";
import { dollars } from "../../parts/units.ts";
import { useStuck } from "./stuck.tsx";

export interface Trouble {
  id: string;
  said: ReactNode;
}

export function Attention() {
  const all = [...useMachines(), ...useStuck(), ...useMoney()];
  if (all.length === 0) return null;
  return (
    <section aria-label="Needs attention" className="mb-6 rounded-card bg-warn-soft p-4 text-sm">
      <h2 className="flex items-center gap-2 font-medium text-warn">
        <TriangleAlert aria-hidden className="size-4" /> Needs attention
      </h2>
      <ul className="mt-1.5 space-y-1">
        {all.map(({ id, said }) => (
          <li key={id}>{said}</li>
        ))}
      </ul>
    </section>
  );
}

function useMachines(): Trouble[] {
  const { data: machines = [] } = api.useQuery("get", "/v1/machines");
  return machines
    .filter(({ online }) => !online)
    .map(({ id, seenAt }) => ({
      id,
      said: (
        <>
          Machine <code>{id}</code> was last heard of <Ago at={seenAt} />. Nothing new is placed
          there.
        </>
      ),
    }));
}

function useMoney(): Trouble[] {
  const enabled = useMayLook("billing");
  const { data: balance } = api.useQuery("get", "/v1/balance", undefined, { enabled });
  const { data: budgets = [] } = api.useQuery("get", "/v1/budgets", undefined, { enabled });
  const spent = budgets
    .filter(({ state }) => state !== "ok")
    .map(({ id, name, scope, spent, limit, period, state }) => ({
      id,
      said: `${name || `The budget of this ${scope}`}: ${dollars(spent)} of ${dollars(limit)} this ${period} are spent${state === "spent" ? ", and what it holds is stopped" : ""}.`,
    }));
  // What lasts longer is on the billing page, and worries nobody.
  if (!balance?.emptyAt || !(balance.lowSince || balance.terminateAt)) return spent;
  const empty = `The balance of ${dollars(balance.balance)} ends ${new Date(balance.emptyAt).toLocaleString()}; then all that runs is stopped.`;
  return [...spent, { id: "balance", said: empty }];
}
