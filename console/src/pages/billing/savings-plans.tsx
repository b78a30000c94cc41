// Savings plans: GPUs that were paid for in advance, and what they cover.

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { useMayWrite } from "../../api/self.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Status } from "../../parts/status.tsx";
import { counted, dollars, perHour } from "../../parts/units.ts";
import { BuyPlan } from "./buy-plan.tsx";

type Plan = Schema["SavingsPlan"];

export const lengths: Record<Plan["planLength"], string> = {
  threeMonth: "three months",
  sixMonth: "six months",
};

export function SavingsPlans() {
  const query = api.useQuery("get", "/v1/savings-plans");
  const [buying, setBuying] = useState(false);
  const mayWrite = useMayWrite();
  return (
    <Card
      title="Savings plans"
      aside={
        mayWrite && (
          <Button small onClick={() => setBuying(true)}>
            Buy a plan
          </Button>
        )
      }
      flush
    >
      <Loaded query={query} skeleton={<Skeleton className="m-4 h-16" />}>
        {(plans) =>
          plans.length === 0 ? (
            <p className="p-4 text-muted">
              There is none. A plan is GPUs of one type, paid for in advance and at a lower price;
              what it covers costs nothing more.
            </p>
          ) : (
            <ul className="divide-y divide-line">
              {plans.map((plan) => (
                <One key={plan.id} plan={plan} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {buying && <BuyPlan onClose={() => setBuying(false)} />}
    </Card>
  );
}

function One({ plan }: { plan: Plan }) {
  const { gpuTypeId, gpuCount, planLength, costPerHr, upfrontCost, endTime, active } = plan;
  return (
    <li className="p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">
          {gpuCount} × {gpuTypeId}
        </span>
        {active ? <Status tone="good">Goes on</Status> : <Status tone="off">Over</Status>}
        <span className="ml-auto">{upfrontCost > 0 ? dollars(upfrontCost) : "Given"}</span>
      </div>
      <p className="mt-1 text-sm text-muted">
        For {lengths[planLength]}, {perHour(costPerHr)} each; {active ? "ends" : "ended"}{" "}
        {new Date(endTime).toLocaleDateString()}
        {active && <Covered podId={plan.podId} gpus={gpuCount} />}
      </p>
    </li>
  );
}

function Covered({ podId, gpus }: { podId: string | undefined; gpus: number }) {
  if (!podId) return <>; it covers nothing yet: the next Pod on {counted(gpus, "such GPU")}</>;
  return (
    <>
      ; it covers{" "}
      <Link to="/pods/$podId/{-$tab}" params={{ podId }} className="underline">
        <code>{podId}</code>
      </Link>
    </>
  );
}
