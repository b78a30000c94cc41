// The page of a Pod with its tabs.

import { getRouteApi, Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import { api, type Schema } from "../../../api/client.ts";
import { isMissing } from "../../../api/error-description.ts";
import { Copyable } from "../../../components/control/copy.tsx";
import { QueryResult } from "../../../components/data/query-result.tsx";
import { SimulatedBadge } from "../../../components/data/simulated-badge.tsx";
import { WhyNote } from "../../../components/feedback/why-note.tsx";
import { Page } from "../../../components/layout/page.tsx";
import { Skeleton } from "../../../components/layout/skeleton.tsx";
import { Tabs } from "../../../components/layout/tabs.tsx";
import { Log } from "../../../components/log/log.tsx";
import { Terminal } from "../../../components/terminal/terminal.tsx";
import { NotFoundPage } from "../../../shell/error-pages.tsx";
import { PodActions } from "../pod-actions.tsx";
import { PodStatus, phaseOf } from "../pod-status.tsx";
import { Connect } from "./connect.tsx";
import { PodEvents } from "./events.tsx";
import { PodMetrics } from "./metrics.tsx";
import { PodSettings } from "./settings.tsx";

const route = getRouteApi("/inside/pods/$podId/{-$tab}");

type Pod = Schema["Pod"];

export function PodPage() {
  const { podId } = route.useParams();
  const params = { path: { podId }, query: { includeMachine: true, includeTemplate: true } };
  const query = api.useQuery("get", "/v1/pods/{podId}", { params });
  if (isMissing(query)) return <NotFoundPage />;
  const pod = query.data;
  return (
    <Page
      name={pod?.name ?? "Pod"}
      title={pod ? <Title pod={pod} /> : <Skeleton className="h-8 w-56" />}
      back={<Link to="/pods">Pods</Link>}
      actions={pod && <PodActions pod={pod} showButton />}
    >
      <QueryResult query={query} skeleton={<Skeleton className="h-80" />}>
        {(found) => <Body pod={found} />}
      </QueryResult>
    </Page>
  );
}

function Title({ pod }: { pod: Pod }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {pod.name}
      <PodStatus pod={pod} />
      {pod.simulated && <SimulatedBadge />}
      {pod.locked && <Lock className="size-4 text-muted" aria-label="Locked" />}
      <span className="text-sm font-normal text-muted">
        <Copyable text={pod.id} />
      </span>
    </span>
  );
}

const tabs = {
  "": "Connect",
  logs: "Logs",
  terminal: "Terminal",
  metrics: "Metrics",
  events: "Events",
  settings: "Settings",
};

function Body({ pod }: { pod: Pod }) {
  const { tab = "" } = route.useParams();
  if (pod.queued)
    return (
      <>
        <WhyNote id={pod.id} />
        <PodEvents podId={pod.id} />
      </>
    );
  return (
    <>
      {phaseOf(pod) !== "running" && <WhyNote id={pod.id} />}
      <Tabs
        label="Pod pages"
        tabs={Object.entries(tabs).map(([to, name]) => ({
          name,
          to: "/pods/$podId/{-$tab}",
          params: { podId: pod.id, tab: to || undefined },
        }))}
      />
      <Tab pod={pod} tab={tab} />
    </>
  );
}

function Tab({ pod, tab }: { pod: Pod; tab: string }) {
  switch (tab) {
    case "":
      return <Connect pod={pod} />;
    case "logs":
      return <Log address={`/v1/pods/${pod.id}/logs`} />;
    case "terminal":
      return phaseOf(pod) === "running" ? (
        <Terminal path={`/v1/pods/${pod.id}/exec`} label={`Terminal in ${pod.name}`} />
      ) : (
        <p className="py-16 text-center text-muted">Start the Pod to open a terminal.</p>
      );
    case "metrics":
      return <PodMetrics pod={pod} />;
    case "events":
      return <PodEvents podId={pod.id} />;
    case "settings":
      return <PodSettings pod={pod} />;
    default:
      return <NotFoundPage />;
  }
}
