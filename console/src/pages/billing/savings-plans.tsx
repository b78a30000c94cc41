// The savings plans and the Pods that they apply to.

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { useCanWrite } from "../../api/session.ts";
import { Button } from "../../components/control/button.tsx";
import { PodName } from "../../components/control/resource-name.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { Status } from "../../components/data/status.tsx";
import { formatDate } from "../../components/format/time.ts";
import { formatDollars, formatHourlyPrice, formatQuantity } from "../../components/format/units.ts";
import { Card } from "../../components/layout/card.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import { GpuName } from "../pods/gpu-name.tsx";
import { SavingsPlanForm } from "./savings-plan-form.tsx";

type Plan = Schema["SavingsPlan"];

export const termLabels: Record<Plan["planLength"], string> = {
  threeMonth: "3 months",
  sixMonth: "6 months",
};

export function SavingsPlans() {
  const query = api.useQuery("get", "/v1/savings-plans");
  const [isBuying, setBuying] = useState(false);
  const mayWrite = useCanWrite();
  return (
    <Card
      title="Savings plans"
      aside={
        mayWrite && (
          <Button small onClick={() => setBuying(true)}>
            Buy savings plan
          </Button>
        )
      }
      flush
    >
      <QueryResult query={query} skeleton={<Skeleton className="m-4 h-16" />}>
        {(plans) =>
          plans.length === 0 ? (
            <p className="p-4 text-muted">
              No savings plans yet. Pay for GPUs of one type in advance to get a lower hourly rate.
            </p>
          ) : (
            <ul className="divide-y divide-line">
              {plans.map((plan) => (
                <PlanRow key={plan.id} plan={plan} />
              ))}
            </ul>
          )
        }
      </QueryResult>
      {isBuying && <SavingsPlanForm onClose={() => setBuying(false)} />}
    </Card>
  );
}

function PlanRow({ plan }: { plan: Plan }) {
  const { gpuTypeId, gpuCount, planLength, costPerHr, upfrontCost, endTime, active } = plan;
  return (
    <li className="p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">
          {gpuCount} × <GpuName id={gpuTypeId} />
        </span>
        {active ? <Status tone="good">Active</Status> : <Status tone="off">Expired</Status>}
        <span className="ml-auto">{upfrontCost > 0 ? formatDollars(upfrontCost) : "Granted"}</span>
      </div>
      <p className="mt-1 text-sm text-muted">
        {termLabels[planLength]} at {formatHourlyPrice(costPerHr)} per GPU ·{" "}
        {active ? "ends" : "ended"} {formatDate(endTime)}
        {active && <CoveredPod podId={plan.podId} gpus={gpuCount} />}
      </p>
    </li>
  );
}

function CoveredPod({ podId, gpus }: { podId: string | undefined; gpus: number }) {
  if (!podId) return <> · applies to the next Pod with {formatQuantity(gpus, "matching GPU")}</>;
  return (
    <>
      {" "}
      · applied to{" "}
      <Link to="/pods/$podId/{-$tab}" params={{ podId }} className="underline">
        <PodName id={podId} />
      </Link>
    </>
  );
}
