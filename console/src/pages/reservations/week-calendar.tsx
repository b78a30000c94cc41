// The calendar of a week: a row for each GPU type, a column for each day, and a bar for each reservation. Phones show the list alone.

import { ChevronLeft, ChevronRight } from "lucide-react";
import { api } from "../../api/client.ts";
import { Button, IconButton } from "../../components/control/button.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { useMinute } from "../../components/data/relative-time.tsx";
import { joinClasses } from "../../components/format/class-names.ts";
import { formatDate, formatTime } from "../../components/format/time.ts";
import { formatQuantity } from "../../components/format/units.ts";
import { Card } from "../../components/layout/card.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import { instantOf } from "../../time-zone.ts";
import { useSearchParam } from "../../use-search-param.ts";
import { GpuName, useGpuName } from "../pods/gpu-name.tsx";
import { standingText } from "./lending-facts.tsx";
import {
  holderOf,
  isOwn,
  PAGE_LIMIT,
  type Reservation,
  timesOf,
  useOfferedGpus,
  useViewer,
  type Viewer,
} from "./reservation.ts";
import {
  addDays,
  type Bar,
  barsOf,
  fractionOf,
  isDate,
  isWithin,
  type Week,
  weekOf,
} from "./week.ts";

const midnightOf = (date: string) => Date.parse(instantOf(`${date}T00:00`));

interface Props {
  onOpen: (reservation: Reservation) => void;
}

export function WeekCalendar({ onOpen }: Props) {
  const today = formatDate(useMinute());
  const [date, setDate] = useSearchParam("week");
  const week = weekOf(isDate(date) ? date : today, midnightOf);
  const { monday, midnights } = week;
  const [from, until] = [midnights[0]!, midnights[7]!].map((at) => new Date(at).toISOString());
  const query = api.useQuery(
    "get",
    "/v1/reservations",
    { params: { query: { from: from!, until: until!, limit: PAGE_LIMIT } } },
    { placeholderData: (before) => before },
  );
  const move = (days: number) => setDate(addDays(monday, days));
  return (
    <Card
      flush
      className="mb-6 hidden md:block"
      title={
        <span className="tabular-nums">
          {monday} to {addDays(monday, 6)}
        </span>
      }
      aside={
        <div className="flex items-center gap-3">
          <Legend />
          <div className="flex items-center gap-1">
            <IconButton label="Previous week" onClick={() => move(-7)}>
              <ChevronLeft className="size-4" />
            </IconButton>
            <Button small onClick={() => setDate("")}>
              This week
            </Button>
            <IconButton label="Next week" onClick={() => move(7)}>
              <ChevronRight className="size-4" />
            </IconButton>
          </div>
        </div>
      }
    >
      <DayNames week={week} today={today} />
      <QueryResult query={query} skeleton={<Skeleton className="m-4 h-24" />}>
        {(reservations) => <Rows week={week} reservations={reservations} onOpen={onOpen} />}
      </QueryResult>
    </Card>
  );
}

function Legend() {
  return (
    <span className="hidden items-center gap-3 text-xs lg:flex">
      <span className="flex items-center gap-1.5">
        <span aria-hidden className={joinClasses("h-3 w-5 rounded", OWN)} />
        For you
      </span>
      <span className="flex items-center gap-1.5">
        <span aria-hidden className={joinClasses("h-3 w-5 rounded", OTHERS)} />
        For others
      </span>
    </span>
  );
}

const RELEASED = "border border-dashed border-line-strong text-muted line-through";
const OWN = "bg-accent text-on-accent";
const OTHERS = "border border-line-strong bg-sunken";

/** The types beside the plot. */
const ROW = "grid grid-cols-[8.5rem_1fr]";
const dayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const percent = (fraction: number) => `${fraction * 100}%`;

function DayNames({ week, today }: { week: Week; today: string }) {
  return (
    <div className={joinClasses(ROW, "border-b border-line text-xs text-muted")}>
      <span className="px-4 py-2 font-medium">GPU type</span>
      <div className="relative">
        {dayNames.map((name, n) => {
          const date = addDays(week.monday, n);
          return (
            <span
              key={name}
              {...(date === today && { "aria-current": "date" as const })}
              className={joinClasses(
                "absolute inset-y-0 border-l border-line px-2 py-2",
                date === today && "bg-accent-soft font-medium text-accent-strong",
              )}
              style={dayStyle(week, n)}
            >
              {name} {Number(date.slice(8))}
            </span>
          );
        })}
      </div>
    </div>
  );
}

/** A day on which the clocks change is a little wider or narrower. */
function dayStyle(week: Week, n: number) {
  const left = fractionOf(week, week.midnights[n]!);
  return { left: percent(left), width: percent(fractionOf(week, week.midnights[n + 1]!) - left) };
}

interface RowsProps extends Props {
  week: Week;
  reservations: Reservation[];
}

/** Types with real GPUs are there without a reservation too. */
function Rows({ week, reservations, onOpen }: RowsProps) {
  const offered = useOfferedGpus();
  const real = [...offered].filter(([, { virtual }]) => !virtual).map(([id]) => id);
  const shown = reservations.filter((each) => isWithin(week, each));
  const reserved = shown.map(({ gpuTypeId }) => gpuTypeId).toSorted();
  const gpuTypeIds = [...new Set([...real, ...reserved])];
  if (gpuTypeIds.length === 0) {
    return <p className="px-4 py-8 text-center text-muted">Nothing is reserved in this week.</p>;
  }
  return (
    <ul className="divide-y divide-line">
      {gpuTypeIds.map((id) => (
        <li key={id} className={ROW}>
          <div className="min-w-0 px-4 py-3">
            <div className="font-medium wrap-anywhere">
              <GpuName id={id} />
            </div>
            <div className="text-xs text-muted">
              {formatQuantity(offered.get(id)?.count ?? 0, "GPU")}
            </div>
          </div>
          <Lanes
            week={week}
            bars={barsOf(
              shown.filter(({ gpuTypeId }) => gpuTypeId === id),
              week,
            )}
            onOpen={onOpen}
          />
        </li>
      ))}
    </ul>
  );
}

const LANE_PX = 32;
const PAD_PX = 10;

interface LanesProps extends Props {
  week: Week;
  bars: Bar<Reservation>[];
}

function Lanes({ week, bars, onOpen }: LanesProps) {
  const lanes = Math.max(1, ...bars.map(({ lane }) => lane + 1));
  return (
    <div
      className="relative overflow-hidden"
      style={{ minHeight: lanes * LANE_PX + 2 * PAD_PX - 4 }}
    >
      {dayNames.map((name, n) => (
        <span
          key={name}
          aria-hidden
          className="absolute inset-y-0 border-l border-line"
          style={dayStyle(week, n)}
        />
      ))}
      <NowLine week={week} />
      <ul>
        {bars.map((bar) => (
          <ReservationBar key={bar.item.id} bar={bar} onOpen={onOpen} />
        ))}
      </ul>
    </div>
  );
}

/** The service's clock, which its tests can move. */
function NowLine({ week }: { week: Week }) {
  const now = useMinute();
  if (now < week.midnights[0]! || now >= week.midnights[7]!) return null;
  return (
    <span
      data-testid="now"
      title={`Now, ${formatTime(now)}`}
      className="absolute inset-y-0 z-10 w-0.5 -translate-x-1/2 bg-bad"
      style={{ left: percent(fractionOf(week, now)) }}
    />
  );
}

function barColor(item: Reservation, viewer: Viewer): string {
  if (item.releasedAt) return RELEASED;
  return isOwn(item, viewer) ? OWN : OTHERS;
}

function ReservationBar({ bar, onOpen }: Props & { bar: Bar<Reservation> }) {
  const { item, lane, start, end, left, right, text } = bar;
  const viewer = useViewer();
  const gpuName = useGpuName();
  const { gpuCount, gpuTypeId } = item;
  const shown = `${gpuCount} × ${holderOf(item, viewer).replace(/^(?:your )?project /, "")}`;
  // A name begins with what is shown.
  const use = item.use ? `, ${standingText(item.use)}` : "";
  const released = item.releasedAt ? ", released because it was not used" : "";
  const label = `${shown}, ${gpuName(gpuTypeId)}, ${timesOf(item)}${use}${released}`;
  const color = barColor(item, viewer);
  return (
    <li
      className="absolute"
      style={{
        left: percent(left),
        width: percent(right - left),
        top: PAD_PX + lane * LANE_PX,
        height: LANE_PX - 4,
      }}
    >
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={() => onOpen(item)}
        className={joinClasses(
          "flex size-full cursor-pointer items-center gap-1.5 text-xs hover:opacity-85",
          text === "before" && "flex-row-reverse",
        )}
      >
        <span
          className={joinClasses(
            "h-full min-w-1 shrink-0 truncate rounded-control text-left leading-[28px]",
            text === "inside" && "w-full px-2",
            color,
          )}
          {...(text !== "inside" && {
            style: { width: percent((end - start) / (right - left)) },
          })}
        >
          {text === "inside" && shown}
        </span>
        {text !== "inside" && <span className="min-w-0 truncate">{shown}</span>}
      </button>
    </li>
  );
}
