// The navigation: its groups and items, in order.

import {
  AppWindow,
  Boxes,
  Building2,
  CalendarClock,
  CalendarDays,
  CreditCard,
  Gauge,
  HardDrive,
  KeyRound,
  Layers,
  LayoutDashboard,
  LayoutTemplate,
  ListChecks,
  Lock,
  type LucideIcon,
  Megaphone,
  Network,
  Package,
  ScrollText,
  Server,
  Settings,
  SquareTerminal,
  Tag,
  Users,
  UsersRound,
  Zap,
} from "lucide-react";
import type { Area } from "../api/session.ts";
import { type PathName, paths } from "../paths.ts";

interface Target {
  to: (typeof paths)[PathName];
  name: string;
  /** Hidden from roles without access to this area. */
  area?: Area;
}

export interface NavigationItem extends Target {
  icon: LucideIcon;
  /** Visible to the operator only. */
  operator?: true;
  /** Pages behind its tabs, which the command palette lists in its place. */
  parts?: Target[];
}

export const navigationGroups: { group: string | null; items: NavigationItem[] }[] = [
  {
    group: null,
    items: [
      { to: paths.overview, name: "Overview", icon: LayoutDashboard },
      { to: paths.pods, area: "resources", name: "Pods", icon: Boxes },
      { to: paths.clusters, area: "resources", name: "Clusters", icon: Network },
      { to: paths.sandboxes, area: "resources", name: "Sandboxes", icon: SquareTerminal },
    ],
  },
  {
    group: "Serverless",
    items: [
      { to: paths.endpoints, area: "resources", name: "Endpoints", icon: Zap },
      { to: paths.flashApps, area: "flash", name: "Flash apps", icon: AppWindow },
      { to: paths.jobs, area: "resources", name: "Jobs", icon: ListChecks },
      { to: paths.batches, area: "resources", name: "Batches", icon: Layers },
      { to: paths.schedules, area: "resources", name: "Schedules", icon: CalendarClock },
    ],
  },
  {
    group: "Resources",
    items: [
      { to: paths.storage, area: "resources", name: "Storage", icon: HardDrive },
      { to: paths.templates, area: "resources", name: "Templates", icon: LayoutTemplate },
      { to: paths.secrets, area: "resources", name: "Secrets", icon: Lock },
      { to: paths.registries, area: "resources", name: "Registries", icon: Package },
    ],
  },
  {
    group: "Account",
    items: [
      { to: paths.billing, area: "billing", name: "Billing", icon: CreditCard },
      {
        to: paths.keys,
        name: "Keys",
        icon: KeyRound,
        parts: [
          { to: paths.keys, name: "API keys" },
          { to: paths.s3Keys, area: "resources", name: "S3 keys" },
          { to: paths.sshKeys, area: "resources", name: "SSH keys" },
        ],
      },
      { to: paths.members, area: "account", name: "Members", icon: Users },
      { to: paths.projects, name: "Projects", icon: UsersRound },
      { to: paths.quotas, name: "Quotas", icon: Gauge },
      { to: paths.reservations, name: "Reservations", icon: CalendarDays },
      { to: paths.notifications, area: "account", name: "Notifications", icon: Megaphone },
      { to: paths.audit, area: "account", name: "Audit log", icon: ScrollText },
      { to: paths.settings, name: "Settings", icon: Settings },
    ],
  },
  {
    group: "Operator",
    items: [
      { to: paths.machines, area: "account", name: "Machines", icon: Server, operator: true },
      { to: paths.prices, area: "account", name: "Prices", icon: Tag, operator: true },
      { to: paths.accounts, area: "account", name: "Accounts", icon: Building2, operator: true },
    ],
  },
];
