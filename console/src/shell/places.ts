// Where one can go, in the order and groups of the navigation.

import {
  Boxes,
  Building2,
  CreditCard,
  HardDrive,
  KeyRound,
  LayoutDashboard,
  LayoutTemplate,
  ListChecks,
  Lock,
  type LucideIcon,
  Package,
  ScrollText,
  Server,
  Settings,
  Terminal,
  Users,
  Zap,
} from "lucide-react";

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
    group: "What they use",
    places: [
      { to: "/storage", name: "Storage", icon: HardDrive },
      { to: "/templates", name: "Templates", icon: LayoutTemplate },
      { to: "/secrets", name: "Secrets", icon: Lock },
      { to: "/registries", name: "Registries", icon: Package },
      { to: "/ssh-keys", name: "SSH keys", icon: Terminal },
    ],
  },
  {
    group: "Account",
    places: [
      { to: "/billing", name: "Billing", icon: CreditCard },
      { to: "/keys", name: "API keys", icon: KeyRound },
      { to: "/members", name: "Members", icon: Users },
      { to: "/audit", name: "Audit log", icon: ScrollText },
      { to: "/settings", name: "Settings", icon: Settings },
    ],
  },
  {
    group: "Operator",
    places: [
      { to: "/machines", name: "Machines", icon: Server, operator: true },
      { to: "/accounts", name: "Accounts", icon: Building2, operator: true },
    ],
  },
];
