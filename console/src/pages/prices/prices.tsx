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
  const query = api.useQuery("get", "/v1/price-book", undefined, { select: pricedOf });
  const gpuTypes = api.useQuery("get", "/v1/price-book", undefined, { select: gpuTypesOf });
  const [asked, setAsked] = useState<Priced | null>(null);
  const may = useMayChangeMachines();
  const ask = may ? setAsked : null;
  return (
    <Page
      title="Prices"
      lead="In dollars. A change holds at once, also for what runs; what was used until then is charged at the old price."
    >
      <Loaded query={query} skeleton={<Skeleton className="mb-5 h-56" />}>
        {(all) => (
          <div className="mb-5 grid gap-5 lg:grid-cols-2">
            <Few
              title="Disks and volumes"
              of={all.filter(({ kind }) => kind === "storage")}
              ask={ask}
            />
            <Few title="Virtual CPUs" of={all.filter(({ kind }) => kind === "cpu")} ask={ask} />
          </div>
        )}
      </Loaded>
      <h2 className="mb-3 font-medium">GPUs, each for an hour</h2>
      <Listing
        query={gpuTypes}
        one="GPU type"
        columns={ask ? [...gpuColumns, changeColumn(ask)] : gpuColumns}
        idOf={({ key }) => key}
        textsOf={({ name }) => [name]}
        empty={<p className="text-muted">There is none to rent.</p>}
      />
      <div className="mt-5">
        <Changes />
      </div>
      {asked && <ChangePrices priced={asked} onClose={() => setAsked(null)} />}
    </Page>
  );
}

type Ask = (priced: Priced) => void;

const gpuTypesOf = (book: Schema["PriceBook"]) =>
  pricedOf(book).filter(({ kind }) => kind === "gpu");

const price = (name: string, from?: Column<Priced>["from"]): Column<Priced> => ({
  title: priceNames[name]!,
  width: "minmax(5rem, 7.5rem)",
  right: true,
  ...(from && { from }),
  cell: ({ prices }) => <span className="tabular-nums">{shown(prices[name])}</span>,
});

const gpuColumns: Column<Priced>[] = [
  {
    title: "GPU type",
    width: "minmax(8rem, 1fr)",
    cell: ({ name }) => <span className="truncate font-medium">{name}</span>,
  },
  price("securePrice"),
  price("communityPrice", "sm"),
  price("secureSpotPrice", "lg"),
  price("communitySpotPrice", "lg"),
  price("serverlessPrice", "md"),
  price("threeMonthPrice", "lg"),
  price("sixMonthPrice", "lg"),
];

const changeColumn = (ask: Ask): Column<Priced> => ({
  title: "Change",
  untitled: true,
  width: "5.5rem",
  right: true,
  cell: (priced) => <ChangeButton priced={priced} ask={ask} />,
});

function ChangeButton({ priced, ask }: { priced: Priced; ask: Ask }) {
  return (
    <Button small aria-label={`Change ${priced.name}`} onClick={() => ask(priced)}>
      Change
    </Button>
  );
}

/** What is few enough to be seen at once: each price in a line of its own. */
function Few({ title, of, ask }: { title: string; of: Priced[]; ask: Ask | null }) {
  const alone = of.length === 1;
  const aside = alone && ask ? <ChangeButton priced={of[0]!} ask={ask} /> : undefined;
  return (
    <Card title={`${title}, ${of[0]?.per ?? ""}`} aside={aside} flush>
      <ul className="divide-y divide-line text-sm">
        {of.flatMap((priced) =>
          Object.entries(priced.prices).map(([name, amount]) => (
            <li
              key={`${priced.key} ${name}`}
              className="flex min-h-11 items-center gap-4 px-4 py-1.5"
            >
              <span className="min-w-0 flex-1">
                {alone ? (priceNames[name] ?? name) : priced.name}
              </span>
              <span className="tabular-nums">{shown(amount)}</span>
              {!alone && ask && <ChangeButton priced={priced} ask={ask} />}
            </li>
          )),
        )}
      </ul>
    </Card>
  );
}

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

const shown = (amount: number | null | undefined) => (amount == null ? "none" : dollars(amount));

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
