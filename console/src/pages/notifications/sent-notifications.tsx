// The messages that notification rules sent, with their deliveries, and redelivery.

import { api, type Schema } from "../../api/client.ts";
import { useCanWrite } from "../../api/session.ts";
import { useWrite } from "../../api/use-write.ts";
import { Button } from "../../components/control/button.tsx";
import { DeliveryStatus, DeliveryTries } from "../../components/data/delivery.tsx";
import { QueryResult } from "../../components/data/query-result.tsx";
import { RelativeTime } from "../../components/data/relative-time.tsx";
import { ErrorNote } from "../../components/feedback/error-note.tsx";
import { Card } from "../../components/layout/card.tsx";
import { Skeleton } from "../../components/layout/skeleton.tsx";
import type { Rule } from "./rule-values.ts";

type Notification = Schema["Notification"];

export function SentNotifications({ rules }: { rules: Rule[] }) {
  const query = api.useQuery("get", "/v1/notifications");
  return (
    <Card title="Messages of the last 7 days" className="mt-6" flush>
      <QueryResult query={query} skeleton={<Skeleton className="m-4 h-16" />}>
        {(notifications) =>
          notifications.length === 0 ? (
            <p className="p-4 text-muted">
              No messages yet. Send a test to see whether a rule reaches you.
            </p>
          ) : (
            <ul className="divide-y divide-line">
              {notifications.map((each) => (
                <NotificationRow
                  key={each.id}
                  notification={each}
                  rule={rules.find(({ id }) => id === each.ruleId)}
                />
              ))}
            </ul>
          )
        }
      </QueryResult>
    </Card>
  );
}

interface RowProps {
  notification: Notification;
  /** Undefined if it was deleted. */
  rule: Rule | undefined;
}

function NotificationRow({ notification, rule }: RowProps) {
  const { id, state, events, eventCount, deliveries, createdAt } = notification;
  const write = useWrite("post", "/v1/notifications/{notificationId}/redeliver", {
    success: "Redelivery started",
  });
  const mayWrite = useCanWrite();
  const more = eventCount - events.length;
  return (
    <li className="p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <DeliveryStatus state={state} />
        <span className="font-medium">{rule?.name ?? "Deleted rule"}</span>
        <span className="text-muted">
          <RelativeTime at={createdAt} />
        </span>
        {mayWrite && rule && (
          <Button
            small
            className="ml-auto"
            busy={write.isPending}
            onClick={() => write.start({ params: { path: { notificationId: id } } })}
          >
            Redeliver
          </Button>
        )}
      </div>
      {write.error !== null && (
        <div className="mt-3">
          <ErrorNote error={write.error} />
        </div>
      )}
      <ul className="mt-2 space-y-1 break-words">
        {events.map((event) => (
          <li key={event.id}>{event.summary}</li>
        ))}
        {more > 0 && <li className="text-muted">and {more} more</li>}
      </ul>
      {deliveries.map(({ n, url, tries }) => (
        <DeliveryTries
          key={n}
          tries={tries}
          protocol={url.startsWith("mailto:") ? "SMTP" : "HTTP"}
        />
      ))}
    </li>
  );
}
