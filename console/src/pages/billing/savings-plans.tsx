// The savings plans and the Pods that they apply to.

import { Link } from "@tanstack/react-router";
import { api, type Schema } from "../../api/client.ts";
import { PodName } from "../../components/control/resource-name.tsx";
import { Status } from "../../components/data/status.tsx";
import { formatDate } from "../../components/format/time.ts";
import { formatDollars, formatHourlyPrice, formatQuantity } from "../../components/format/units.ts";
import { Card } from "../../components/layout/card.tsx";
import { GpuName } from "../pods/gpu-name.tsx";

type Plan = Schema["SavingsPlan"];

const termLabels: Record<Plan["planLength"], string> = {
  threeMonth: "3 months",
  sixMonth: "6 months",
};

/** Nothing for an account without plans: they are bought over the API. */
export function SavingsPlans() {
  const { data: plans = [] } = api.useQuery("get", "/v1/savings-plans");
  if (plans.length === 0) return null;
  return (
    <Card title="Savings plans" flush>
      <ul className="divide-y divide-line">
        {plans.map((plan) => (
          <PlanRow key={plan.id} plan={plan} />
        ))}
      </ul>
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
