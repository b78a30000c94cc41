// Whether a reservation is planned, active, not used or released.

import { AbsoluteTime } from "../../components/data/relative-time.tsx";
import { Status } from "../../components/data/status.tsx";
import { Fact } from "../../components/layout/card.tsx";
import type { Reservation } from "./reservation.ts";

interface Props {
  of: Reservation;
  now: number;
}

export function ReservationState({
  of: { from, active, use, releasesAt, releasedAt },
  now,
}: Props) {
  if (releasedAt) return <Status tone="off">Released</Status>;
  if (!active && Date.parse(from) > now) return <Status tone="off">Planned</Status>;
  const isUnused = releasesAt !== undefined && now >= warningTime(from, releasesAt);
  return (
    <>
      <Status tone={isUnused ? "warn" : "good"}>{isUnused ? "Not used" : "Active"}</Status>
      {isUnused && (
        <div className="text-xs text-muted">
          release <AbsoluteTime at={releasesAt} />
        </div>
      )}
      {use && use.lent > 0 && <div className="text-xs text-muted">{use.lent} lent</div>}
    </>
  );
}

/** The service warns after half of the time; before that, a reservation has hardly begun. */
const warningTime = (from: string, releasesAt: string) =>
  (Date.parse(from) + Date.parse(releasesAt)) / 2;

export function ReleaseFact({ of: { releasesAt, releasedAt } }: Pick<Props, "of">) {
  return (
    <>
      {releasesAt && (
        <Fact name="Will be released">
          <AbsoluteTime at={releasesAt} />, unless a Pod or worker starts on its GPUs or you change
          it
        </Fact>
      )}
      {releasedAt && (
        <Fact name="Released">
          <AbsoluteTime at={releasedAt} />, because it was not used
        </Fact>
      )}
    </>
  );
}
