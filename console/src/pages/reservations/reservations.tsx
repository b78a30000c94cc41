// The page of reservations: the calendar of a week, and the list of those that have not ended.

import { useState } from "react";
import { api } from "../../api/client.ts";
import { curl } from "../../api/curl.ts";
import { useCanWriteOwn } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { Menu } from "../../components/control/menu.tsx";
import { AbsoluteTime, useMinute } from "../../components/data/relative-time.tsx";
import { SearchableTable } from "../../components/data/searchable-table.tsx";
import { actionsColumn, type Column } from "../../components/data/table.tsx";
import { ConfirmDialog } from "../../components/form/confirm-dialog.tsx";
import { labelTexts } from "../../components/format/labels.ts";
import { Fact, Facts } from "../../components/layout/card.tsx";
import { Dialog, DialogActions } from "../../components/layout/dialog.tsx";
import { Empty } from "../../components/layout/empty.tsx";
import { LabelsFact } from "../../components/layout/labels-fact.tsx";
import { Page } from "../../components/layout/page.tsx";
import { useSearchParam } from "../../use-search-param.ts";
import { GpuName, useGpuName } from "../pods/gpu-name.tsx";
import { EditReservation } from "./edit-reservation.tsx";
import { CalendarFeed } from "./feed.tsx";
import { LendingFacts } from "./lending-facts.tsx";
import {
  holderOf,
  PAGE_LIMIT,
  type Reservation,
  timesOf,
  useCanCancel,
  useCanReserve,
  useViewer,
  type Viewer,
} from "./reservation.ts";
import { NewReservation } from "./reservation-form.tsx";
import { ReleaseFact, ReservationState } from "./reservation-state.tsx";
import { WeekCalendar } from "./week-calendar.tsx";

type OpenDialog =
  | { kind: "details" | "edit" | "cancel"; reservation: Reservation }
  | { kind: "new" | "feed" }
  | null;

export function Reservations() {
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const mayReserve = useCanReserve();
  const maySubscribe = useCanWriteOwn();
  const close = () => setOpenDialog(null);
  const onNew = () => setOpenDialog({ kind: "new" });
  const onCancel = (reservation: Reservation) => setOpenDialog({ kind: "cancel", reservation });
  const onEdit = (reservation: Reservation) => setOpenDialog({ kind: "edit", reservation });
  return (
    <Page
      title="Reservations"
      lead="GPUs that are kept free for a time. While a reservation is active, others cannot take what its holder does not use yet."
      actions={
        <>
          {maySubscribe && (
            <Button onClick={() => setOpenDialog({ kind: "feed" })}>Subscribe</Button>
          )}
          {mayReserve && (
            <Button variant="primary" onClick={onNew}>
              Reserve GPUs
            </Button>
          )}
        </>
      }
    >
      <Content
        onNew={onNew}
        onCancel={onCancel}
        onEdit={onEdit}
        onOpen={(reservation) => setOpenDialog({ kind: "details", reservation })}
      />
      {openDialog?.kind === "new" && <NewReservation onClose={close} />}
      {openDialog?.kind === "feed" && <CalendarFeed onClose={close} />}
      {openDialog?.kind === "details" && (
        <Details
          reservation={openDialog.reservation}
          onClose={close}
          onCancel={onCancel}
          onEdit={onEdit}
        />
      )}
      {openDialog?.kind === "edit" && (
        <EditReservation reservation={openDialog.reservation} onClose={close} />
      )}
      {openDialog?.kind === "cancel" && (
        <Cancel reservation={openDialog.reservation} onClose={close} />
      )}
    </Page>
  );
}

interface ContentProps {
  onNew: () => void;
  onOpen: (reservation: Reservation) => void;
  onCancel: (reservation: Reservation) => void;
  onEdit: (reservation: Reservation) => void;
}

function Content({ onNew, onOpen, onCancel, onEdit }: ContentProps) {
  const now = useMinute();
  const params = { query: { limit: PAGE_LIMIT } };
  const query = api.useQuery(
    "get",
    "/v1/reservations",
    { params },
    { select: (all) => all.filter(({ until }) => Date.parse(until) > now) },
  );
  const [week] = useSearchParam("week");
  const viewer = useViewer();
  const nameOf = useReservationName();
  const mayReserve = useCanReserve();
  const mayCancel = useCanCancel();
  const { data } = query;
  const columns = columnsFor(viewer, now);
  const actions = actionsColumn<Reservation>(
    (reservation) =>
      mayCancel(reservation) &&
      !reservation.releasedAt && (
        <Menu
          label={`Actions for ${nameOf(reservation)}`}
          items={[
            { label: "Change", onSelect: () => onEdit(reservation) },
            { label: "Cancel reservation", danger: true, onSelect: () => onCancel(reservation) },
          ]}
        />
      ),
  );
  return (
    <>
      {(week !== "" || (data && data.length > 0)) && <WeekCalendar onOpen={onOpen} />}
      <SearchableTable
        query={query}
        singular="reservation"
        columns={data?.some(mayCancel) ? [...columns, actions] : columns}
        idOf={({ id }) => id}
        textsOf={(reservation) => [
          reservation.gpuTypeId,
          holderOf(reservation, viewer),
          reservation.note,
          ...labelTexts(reservation),
        ]}
        empty={<NoReservations onNew={mayReserve ? onNew : null} />}
      />
    </>
  );
}

/** Names reservations by what they hold and for whom. */
function useReservationName(): (reservation: Reservation) => string {
  const viewer = useViewer();
  const gpuName = useGpuName();
  return (reservation) =>
    `${reservation.gpuCount} × ${gpuName(reservation.gpuTypeId)} for ${holderOf(reservation, viewer)}`;
}

const columnsFor = (viewer: Viewer, now: number): Column<Reservation>[] => [
  {
    title: "GPUs",
    sortBy: ({ gpuTypeId }) => gpuTypeId,
    width: "minmax(6rem, 2fr)",
    cell: (reservation) => (
      <>
        <div className="truncate font-medium" title={reservation.gpuTypeId}>
          {reservation.gpuCount} × <GpuName id={reservation.gpuTypeId} />
        </div>
        <div className="truncate text-xs text-muted">
          <span className="sm:hidden">
            {capitalized(holderOf(reservation, viewer))}
            {reservation.note && ", "}
          </span>
          {reservation.note}
        </div>
      </>
    ),
  },
  {
    title: "For",
    sortBy: (reservation) => holderOf(reservation, viewer),
    width: "minmax(5rem, 1fr)",
    minWidth: "sm",
    cell: (reservation) => capitalized(holderOf(reservation, viewer)),
  },
  {
    title: "Time",
    sortBy: ({ from }) => from,
    width: "minmax(10.5rem, 1fr)",
    cell: ({ from, until }) => (
      <>
        <AbsoluteTime at={from} />
        <div className="text-xs text-muted">
          to <AbsoluteTime at={until} />
        </div>
      </>
    ),
  },
  {
    title: "Status",
    width: "6.5rem",
    minWidth: "md",
    cell: (reservation) => <ReservationState of={reservation} now={now} />,
  },
];

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

interface DialogProps {
  reservation: Reservation;
  onClose: () => void;
}

type Actions = Pick<ContentProps, "onCancel" | "onEdit">;

function Details({ reservation, onClose, onCancel, onEdit }: DialogProps & Actions) {
  const viewer = useViewer();
  const mayCancel = useCanCancel();
  const gpuName = useGpuName();
  const now = useMinute();
  const { gpuCount, gpuTypeId, until, note, createdBy, project } = reservation;
  const hasEnded = Date.parse(until) <= now || reservation.releasedAt !== undefined;
  return (
    <Dialog open onOpenChange={onClose} title={`${gpuCount} × ${gpuName(gpuTypeId)}`}>
      <Facts>
        <Fact name="For">{capitalized(holderOf(reservation, viewer))}</Fact>
        <Fact name="Time">{timesOf(reservation)}</Fact>
        <LendingFacts of={reservation} />
        <ReleaseFact of={reservation} />
        {note && <Fact name="Note">{note}</Fact>}
        <LabelsFact of={reservation} />
        {project && createdBy && <Fact name="Created by">{createdBy.name}</Fact>}
      </Facts>
      <DialogActions>
        {!hasEnded && mayCancel(reservation) && (
          <>
            <Button variant="danger" onClick={() => onCancel(reservation)}>
              Cancel reservation
            </Button>
            <Button onClick={() => onEdit(reservation)}>Change</Button>
          </>
        )}
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}

function Cancel({ reservation, onClose }: DialogProps) {
  const nameOf = useReservationName();
  const write = useWrite("delete", "/v1/reservations/{reservationId}", {
    success: "Reservation cancelled",
  });
  return (
    <ConfirmDialog
      write={write}
      onClose={onClose}
      title="Cancel the reservation?"
      action="Cancel reservation"
      onConfirm={() => write.run({ params: { path: { reservationId: reservation.id } } })}
    >
      <p>
        {nameOf(reservation)}, {timesOf(reservation)}. The GPUs are free for others at once; what
        runs on them stays.
      </p>
    </ConfirmDialog>
  );
}

const example = {
  gpuTypeId: "NVIDIA A40",
  gpuCount: 2,
  from: "2027-01-31T09:00:00Z",
  until: "2027-01-31T12:00:00Z",
};

function NoReservations({ onNew }: { onNew: (() => void) | null }) {
  return (
    <Empty
      title="No reservations yet"
      actions={onNew && <Button onClick={onNew}>Reserve GPUs</Button>}
      curl={curl("POST", "/v1/reservations", example)}
    >
      A reservation keeps GPUs of a type free for you or your project, from a time on. Your Pods and
      workers on these GPUs fill it. It stops nothing that already runs, and costs nothing.
    </Empty>
  );
}
