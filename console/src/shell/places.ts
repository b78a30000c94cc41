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
  Tag,
  Terminal,
  Users,
  Zap,
} from "lucide-react";
import type { Area } from "../api/self.ts";

export interface Place {
  to: string;
  name: string;
  icon: LucideIcon;
  /** Only who runs the service sees it. */
  operator?: true;
  /** Whose role shows nothing of it does not see it. */
  area?: Area;
}

export const places: { group: string | null; places: Place[] }[] = [
  {
    group: null,
    places: [
      { to: "/", name: "Overview", icon: LayoutDashboard },
      { to: "/pods", area: "resources", name: "Pods", icon: Boxes },
    ],
  },
  {
    group: "Serverless",
    places: [
      { to: "/serverless", area: "resources", name: "Endpoints", icon: Zap },
      { to: "/jobs", area: "resources", name: "Jobs", icon: ListChecks },
    ],
  },
  {
    group: "What they use",
    places: [
      { to: "/storage", area: "resources", name: "Storage", icon: HardDrive },
      { to: "/templates", area: "resources", name: "Templates", icon: LayoutTemplate },
      { to: "/secrets", area: "resources", name: "Secrets", icon: Lock },
      { to: "/registries", area: "resources", name: "Registries", icon: Package },
      { to: "/ssh-keys", area: "resources", name: "SSH keys", icon: Terminal },
    ],
  },
  {
    group: "Account",
    places: [
      { to: "/billing", area: "billing", name: "Billing", icon: CreditCard },
      { to: "/keys", name: "API keys", icon: KeyRound },
      { to: "/members", area: "account", name: "Members", icon: Users },
      { to: "/audit", area: "account", name: "Audit log", icon: ScrollText },
      { to: "/settings", name: "Settings", icon: Settings },
    ],
  },
  {
    group: "Operator",
    places: [
      { to: "/machines", name: "Machines", icon: Server, operator: true },
      { to: "/prices", name: "Prices", icon: Tag, operator: true },
      { to: "/accounts", name: "Accounts", icon: Building2, operator: true },
    ],
  },
];
