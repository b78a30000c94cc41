// The price book, which the operator can change.

import { useState } from "react";
import { api, type Schema } from "../../api/client.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Menu } from "../../components/control/menu.tsx";
import { KeyName } from "../../components/control/resource-name.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { SearchableTable } from "../../components/data/searchable-table.tsx";
import { actionsColumn, type Column } from "../../components/data/table.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { formatDollars } from "../../components/format/units.ts";
import { Card } from "../../components/layout/card.tsx";
import { Page } from "../../components/layout/page.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import { useCanManageMachines } from "../machines/machine-actions.tsx";
import { UnpricedGpus } from "../machines/unpriced-gpus.tsx";
import { GpuName } from "../pods/gpu-name.tsx";
import { type PriceEntry, priceEntries, priceNames, priceUpdate } from "./price-entries.ts";
import { PriceForm } from "./price-form.tsx";

export function Prices() {
  const query = api.useQuery("get", "/v1/price-book", undefined, { select: priceEntries });
  const gpuTypes = api.useQuery("get", "/v1/price-book", undefined, { select: gpuTypesOf });
  const [editedEntry, setEditedEntry] = useState<PriceEntry | null>(null);
  const [removedEntry, setRemovedEntry] = useState<PriceEntry | null>(null);
  const canManage = useCanManageMachines();
  const onEdit = canManage ? setEditedEntry : null;
  return (
    <Page
      title="Prices"
      lead="All prices are in US dollars. Changes apply immediately, including to running resources; earlier usage is billed at the old price."
    >
      <QueryResult query={query} skeleton={<Skeleton className="mb-5 h-56" />}>
        {(all) => (
          <div className="mb-5 grid gap-5 lg:grid-cols-2">
            <PriceCard
              title="Disks and volumes"
              entries={all.filter(({ kind }) => kind === "storage")}
              onEdit={onEdit}
            />
            <PriceCard
              title="vCPUs"
              entries={all.filter(({ kind }) => kind === "cpu")}
              onEdit={onEdit}
            />
          </div>
        )}
      </QueryResult>
      <div className="mb-5 empty:hidden">
        <UnpricedGpus />
      </div>
      <h2 className="mb-3 font-medium">GPUs, per GPU-hour</h2>
      <SearchableTable
        query={gpuTypes}
        singular="GPU type"
        columns={onEdit ? [...gpuColumns, entryActions(onEdit, setRemovedEntry)] : gpuColumns}
        idOf={({ key }) => key}
        textsOf={({ name }) => [name]}
        empty={<p className="text-muted">No GPU types in the catalog</p>}
      />
      <div className="mt-5">
        <PriceChanges />
      </div>
      {editedEntry && <PriceForm entry={editedEntry} onClose={() => setEditedEntry(null)} />}
      {removedEntry && <RemovePrice entry={removedEntry} onClose={() => setRemovedEntry(null)} />}
    </Page>
  );
}

type EditHandler = (entry: PriceEntry) => void;

const gpuTypesOf = (book: Schema["PriceBook"]) =>
  priceEntries(book).filter(({ kind }) => kind === "gpu");

const price = (name: string, from?: Column<PriceEntry>["minWidth"]): Column<PriceEntry> => ({
  title: priceNames[name]!,
  width: name === "communitySpotPrice" ? "8.5rem" : "minmax(4.5rem, 6rem)",
  alignRight: true,
  ...(from && { minWidth: from }),
  sortBy: ({ prices }) => prices[name],
  cell: ({ prices }) => <span className="tabular-nums">{formatPrice(prices[name])}</span>,
});

const gpuColumns: Column<PriceEntry>[] = [
  {
    title: "GPU type",
    sortBy: ({ name }) => name,
    width: "minmax(8rem, 1fr)",
    cell: ({ name }) => (
      <span className="font-medium" title={name}>
        <GpuName id={name} />
      </span>
    ),
  },
  price("securePrice"),
  price("communityPrice", "sm"),
  price("secureSpotPrice", "lg"),
  price("communitySpotPrice", "lg"),
  price("serverlessPrice", "md"),
  price("threeMonthPrice", "lg"),
  price("sixMonthPrice", "lg"),
];

/** Only prices that the price book alone has can be removed. */
const entryActions = (onEdit: EditHandler, onRemove: EditHandler): Column<PriceEntry> =>
  actionsColumn(
    (entry) =>
      entry.source === "priceBook" ? (
        <Menu
          label={`Actions for ${entry.name}`}
          items={[
            { label: "Edit", onSelect: () => onEdit(entry) },
            { label: "Remove price", danger: true, onSelect: () => onRemove(entry) },
          ]}
        />
      ) : (
        <EditButton entry={entry} onEdit={onEdit} />
      ),
    "5.5rem",
  );

function RemovePrice({ entry, onClose }: { entry: PriceEntry; onClose: () => void }) {
  const write = useWrite("patch", "/v1/price-book", { success: `Price of ${entry.name} removed` });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title={`Remove the price of ${entry.name}?`}
      action="Remove price"
      onConfirm={() => write.run({ body: priceUpdate(entry, { securePrice: null }) })}
    >
      <p>
        All prices of this GPU are removed, and it is no longer rented out: nothing new is placed on
        it, and a stopped Pod does not start. What runs on it stays, at its price.
      </p>
    </ConfirmDialog>
  );
}

function EditButton({ entry, onEdit }: { entry: PriceEntry; onEdit: EditHandler }) {
  return (
    <Button small aria-label={`Edit ${entry.name}`} onClick={() => onEdit(entry)}>
      Edit
    </Button>
  );
}

/** A card with one line per price. */
function PriceCard({
  title,
  entries,
  onEdit,
}: {
  title: string;
  entries: PriceEntry[];
  onEdit: EditHandler | null;
}) {
  const isSingle = entries.length === 1;
  const aside = isSingle && onEdit ? <EditButton entry={entries[0]!} onEdit={onEdit} /> : undefined;
  return (
    <Card title={`${title}, ${entries[0]?.per ?? ""}`} aside={aside} flush>
      <ul className="divide-y divide-line text-sm">
        {entries.flatMap((entry) =>
          Object.entries(entry.prices).map(([name, amount]) => (
            <li
              key={`${entry.key} ${name}`}
              className="flex min-h-11 items-center gap-4 px-4 py-1.5"
            >
              <span className="min-w-0 flex-1">
                {isSingle ? (priceNames[name] ?? name) : entry.name}
              </span>
              <span className="tabular-nums">{formatPrice(amount)}</span>
              {!isSingle && onEdit && <EditButton entry={entry} onEdit={onEdit} />}
            </li>
          )),
        )}
      </ul>
    </Card>
  );
}

function PriceChanges() {
  const query = api.useQuery("get", "/v1/price-book/changes");
  return (
    <Card title="Price changes" flush>
      <QueryResult query={query} skeleton={<Skeleton className="m-4 h-16" />}>
        {(changes) =>
          changes.length === 0 ? (
            <p className="p-4 text-muted">No changes yet. All prices come from the catalog.</p>
          ) : (
            <ul className="divide-y divide-line">
              {changes.map((change) => (
                <PriceChange key={change.id} change={change} />
              ))}
            </ul>
          )
        }
      </QueryResult>
    </Card>
  );
}

const formatPrice = (amount: number | null | undefined) =>
  amount == null ? "–" : formatDollars(amount);

function PriceChange({ change }: { change: Schema["PriceChange"] }) {
  const { at, keyId, gpuTypeId, cpuFlavorId, price, from, to, reset } = change;
  return (
    <li className="flex flex-wrap gap-x-4 gap-y-0.5 px-4 py-2.5 text-sm">
      <span className="font-medium">{gpuTypeId ?? cpuFlavorId ?? "Storage"}</span>
      <span>
        {priceNames[price] ?? price}: {formatPrice(from)} to {formatPrice(to)}
        {reset && " (catalog price)"}
      </span>
      <span className="ml-auto text-muted">
        <RelativeTime at={at} /> with key <KeyName id={keyId} />
      </span>
    </li>
  );
}
