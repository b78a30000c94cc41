// Where one can go, in the order and groups of the navigation.

import { Boxes, LayoutDashboard, ListChecks, type LucideIcon, Server, Zap } from "lucide-react";

export interface Place {
  to: string;
  name: string;
  icon: LucideIcon;
  /** Only who runs the service sees it. */
  operator?: true;
}

export const places: { group: string | null; places: Place[] }[] = [
  {
    group: null,
    places: [
      { to: "/", name: "Overview", icon: LayoutDashboard },
      { to: "/pods", name: "Pods", icon: Boxes },
    ],
  },
  {
    group: "Serverless",
    places: [
      { to: "/serverless", name: "Endpoints", icon: Zap },
      { to: "/jobs", name: "Jobs", icon: ListChecks },
    ],
  },
  {
    group: "Operator",
    places: [{ to: "/machines", name: "Machines", icon: Server, operator: true }],
  },
];
