// Notices of what makes this Freehold behave unlike others: faults that are on, and a virtual clock.

import { FlaskConical } from "lucide-react";
import { Popover } from "radix-ui";
import { useEffect } from "react";
import { api, type Schema } from "../api/client.ts";
import { canView, useSession } from "../api/session.ts";
import { useWrite } from "../api/use-write.ts";
import { Button } from "../components/control/button.tsx";
import { AbsoluteTime, useNow } from "../components/data/relative-time.tsx";
import { formatQuantity } from "../components/format/units.ts";
import { serviceNow } from "../service-clock.ts";

const CLOCK_PERIOD_MS = 2_000;

export function TestNotice() {
  const faults = useActiveFaults();
  const { data: clock } = api.useQuery("get", "/v1/clock", undefined, {
    staleTime: Infinity,
    // A move changes times even if nothing happens, and there is no event of it.
    refetchInterval: ({ state }) => state.data?.mode === "virtual" && CLOCK_PERIOD_MS,
  });
  const isVirtual = clock?.mode === "virtual";
  if (faults.length === 0 && !isVirtual) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 border-b border-line bg-info-soft px-4 py-2 text-sm text-info"
    >
      {faults.length > 0 && <FaultNotice faults={faults} />}
      {isVirtual && (
        <span>
          The clock is virtual: <VirtualNow />
        </span>
      )}
    </div>
  );
}

function VirtualNow() {
  return <AbsoluteTime at={new Date(useNow()).toISOString()} />;
}

type Fault = Schema["TestFault"] & { active: NonNullable<Schema["TestFault"]["active"]> };

function useActiveFaults(): Fault[] {
  const self = useSession();
  const enabled = self.faults && canView(self, "account");
  const query = api.useQuery("get", "/v1/faults", undefined, { enabled, retry: false });
  const { data = [], refetch } = query;
  const faults = data.filter((fault): fault is Fault => fault.active !== null);
  const ends = faults.map(({ active: { until } }) => (until ? Date.parse(until) : Infinity));
  const endsAt = Math.min(...ends);
  useEffect(() => {
    if (endsAt === Infinity) return;
    const timer = setTimeout(() => void refetch(), Math.max(1_000, endsAt - serviceNow() + 500));
    return () => clearTimeout(timer);
  }, [endsAt, refetch]);
  return faults;
}

function FaultNotice({ faults }: { faults: Fault[] }) {
  return (
    <Popover.Root>
      <span className="flex items-center gap-2">
        <FlaskConical aria-hidden className="size-4" />
        {formatQuantity(faults.length, "fault")} on: {faults.map(({ name }) => name).join(", ")}
      </span>
      <Popover.Trigger asChild>
        <Button small>Show</Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          aria-label="Faults"
          className="z-50 w-96 max-w-[calc(100vw-2rem)] space-y-3 rounded-card border border-line bg-raised p-4 text-sm text-text shadow-raised"
        >
          {faults.map((fault) => (
            <FaultItem key={fault.name} fault={fault} />
          ))}
          <p className="text-xs text-muted">
            Faults repeat trouble of other clouds for tests; docs/faults.md describes them.
          </p>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function FaultItem({ fault: { name, description, active, hits } }: { fault: Fault }) {
  const turnOff = useWrite("delete", "/v1/faults/{faultName}", {
    success: `Fault ${name} is off`,
    toastError: true,
  });
  return (
    <div className="flex items-start justify-between gap-3">
      <div className="min-w-0">
        <code className="font-medium">{name}</code>
        <p className="text-muted">{description}</p>
        <p className="text-xs text-muted">
          {active.until ? (
            <>
              Until <AbsoluteTime at={active.until} />
            </>
          ) : (
            "Until it is switched off"
          )}
          , hit {formatQuantity(hits, "time")}
        </p>
      </div>
      <Button
        small
        busy={turnOff.isPending}
        aria-label={`Switch ${name} off`}
        onClick={() => turnOff.start({ params: { path: { faultName: name } } })}
      >
        Switch off
      </Button>
    </div>
  );
}
