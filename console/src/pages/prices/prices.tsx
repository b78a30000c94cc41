// The price book: what everything costs, as the operator changes it while the service runs.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { Ago } from "../../parts/ago.tsx";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page } from "../../parts/page.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import type { Column } from "../../parts/table.tsx";
import { dollars } from "../../parts/units.ts";
import { useMayChangeMachines } from "../machines/machine-actions.tsx";
import { ChangePrices } from "./change-prices.tsx";
import { type Priced, pricedOf, priceNames } from "./priced.ts";

export function Prices() {
  const query = api.useQuery("get", "/v1/price-book", {}, { select: pricedOf });
  const [asked, setAsked] = useState<Priced | null>(null);
  const may = useMayChangeMachines();
  const change: Column<Priced> = {
    title: "Change",
    untitled: true,
    width: "5.5rem",
    right: true,
    cell: (priced) => (
      <Button small aria-label={`Change ${priced.name}`} onClick={() => setAsked(priced)}>
        Change
      </Button>
    ),
  };
  return (
    <Page
      title="Prices"
      lead="In dollars. A change holds at once, also for what runs; what was used until then is charged at the old price."
    >
      <Listing
        query={query}
        one="item"
        columns={may ? [...columns, change] : columns}
        idOf={({ key }) => key}
        textsOf={({ name, key }) => [name, key]}
        empty={<p className="text-muted">There is nothing to rent.</p>}
      />
      <div className="mt-5">
        <Changes />
      </div>
      {asked && <ChangePrices priced={asked} onClose={() => setAsked(null)} />}
    </Page>
  );
}

const columns: Column<Priced>[] = [
  {
    title: "What",
    width: "minmax(8rem, 1fr)",
    cell: ({ name, per }) => (
      <>
        <div className="truncate font-medium">{name}</div>
        <div className="truncate text-xs text-muted">{per}</div>
      </>
    ),
  },
  {
    title: "Prices",
    width: "minmax(8rem, 2fr)",
    cell: ({ prices }) => (
      <span className="truncate">
        {Object.entries(prices)
          .filter(([, price]) => price !== null)
          .map(([name, price]) => `${priceNames[name] ?? name} ${dollars(price!)}`)
          .join(" · ")}
      </span>
    ),
  },
];

function Changes() {
  const query = api.useQuery("get", "/v1/price-book/changes");
  return (
    <Card title="What was changed" flush>
      <Loaded query={query} skeleton={<Skeleton className="m-4 h-16" />}>
        {(changes) =>
          changes.length === 0 ? (
            <p className="p-4 text-muted">Nothing: all prices are those of the catalog.</p>
          ) : (
            <ul className="divide-y divide-line">
              {changes.map((change) => (
                <Change key={change.id} change={change} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

const shown = (price: number | null) => (price === null ? "none" : dollars(price));

function Change({ change }: { change: Schema["PriceChange"] }) {
  const { at, keyId, gpuTypeId, cpuFlavorId, price, from, to, reset } = change;
  return (
    <li className="flex flex-wrap gap-x-4 gap-y-0.5 px-4 py-2.5 text-sm">
      <span className="font-medium">{gpuTypeId ?? cpuFlavorId ?? "Storage"}</span>
      <span>
        {priceNames[price] ?? price} from {shown(from)} to {shown(to)}
        {reset && ", the catalog's"}
      </span>
      <span className="ml-auto text-muted">
        <Ago at={at} />, by key <code>{keyId}</code>
      </span>
    </li>
  );
}
