// The navigation, with the account at its foot.

import { Link } from "@tanstack/react-router";
import { LogOut, Monitor, Moon, Search, Sun } from "lucide-react";
import { useSession, useSignOut } from "../api/session.ts";
import { chooseTheme } from "../apply-theme.ts";
import { IconButton } from "../components/control/button.tsx";
import { Menu } from "../components/control/menu.tsx";
import { timeZone } from "../components/format/time.ts";
import { useThemeChoice } from "../theme.ts";
import { Logo } from "./logo.tsx";
import { useVisibleGroups } from "./visible-groups.ts";

/** What only the operator sees stands apart from the account. */
const apart = "mt-4 border-t border-line pt-3 short:mt-1.5 short:pt-1.5";

interface Props {
  /** Opens the command palette. */
  onSearch: () => void;
  onNavigate?: () => void;
}

export function Navigation({ onSearch, onNavigate }: Props) {
  const groups = useVisibleGroups();
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-14 shrink-0 items-center px-5 short:h-11">
        <Link to="/" {...(onNavigate ? { onClick: onNavigate } : {})} className="rounded-control">
          <Logo />
        </Link>
      </div>
      <SearchButton onClick={onSearch} />
      <nav aria-label="Main" className="min-h-0 flex-1 overflow-y-auto px-3 pb-4 short:pb-1">
        {groups.map(({ group, items }) => (
          <div
            key={group ?? ""}
            className={group === "Operator" ? apart : "mt-4 first:mt-1 short:mt-1.5"}
          >
            {group && (
              <h2 className="px-2.5 pb-1 text-xs short:pb-0.5 font-medium text-muted">{group}</h2>
            )}
            <ul>
              {items.map(({ to, name, icon: Icon }) => (
                <li key={to}>
                  <Link
                    to={to}
                    activeOptions={{ exact: to === "/" }}
                    {...(onNavigate ? { onClick: onNavigate } : {})}
                    className="flex h-8.5 items-center gap-2.5 rounded-control px-2.5 text-muted short:h-7 hover:bg-sunken hover:text-text data-[status=active]:bg-accent-soft data-[status=active]:font-medium data-[status=active]:text-accent-strong"
                  >
                    <Icon aria-hidden className="size-4 shrink-0" />
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="shrink-0 border-t border-line">
        <References />
        <AccountFooter />
        <p className="truncate px-5 pb-3 text-xs text-muted">Times in {timeZone()}</p>
      </div>
    </div>
  );
}

function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      aria-keyshortcuts="Control+K Meta+K"
      className="mx-3 mb-2 flex h-8.5 shrink-0 cursor-pointer items-center gap-2.5 rounded-control border border-line px-2.5 text-muted hover:bg-sunken hover:text-text"
    >
      <Search aria-hidden className="size-4 shrink-0" />
      Go to
      <kbd aria-hidden className="ml-auto text-xs">
        Ctrl K
      </kbd>
    </button>
  );
}

function References() {
  const link = "text-muted underline hover:text-text";
  return (
    <p className="flex gap-1.5 px-4 pt-2.5 text-xs whitespace-nowrap text-muted">
      <a href="/docs" className={link}>
        Docs
      </a>
      <span aria-hidden>·</span>
      <a href="/v1/docs" className={link}>
        REST v1
      </a>
      <span aria-hidden>·</span>
      <a href="/v2/docs" className={link}>
        REST v2
      </a>
    </p>
  );
}

function AccountFooter() {
  const { account, key } = useSession();
  const signOut = useSignOut();
  return (
    <div className="flex items-center gap-1 px-3 pt-2.5 pb-1.5">
      <div className="min-w-0 flex-1 px-2 leading-tight">
        <div className="truncate text-sm font-medium">{account.name}</div>
        <div className="truncate text-xs text-muted" title={key.name}>
          {key.permissions.rest === "write" ? key.name : `${key.name} (read-only)`}
        </div>
      </div>
      <ThemeMenu />
      <IconButton label="Sign out" onClick={() => void signOut()}>
        <LogOut className="size-4" />
      </IconButton>
    </div>
  );
}

const themeIcons = { system: Monitor, light: Sun, dark: Moon };

function ThemeMenu() {
  const choice = useThemeChoice();
  const Icon = themeIcons[choice];
  return (
    <Menu
      label="Theme"
      items={[
        { label: "System", onSelect: () => chooseTheme("system") },
        { label: "Light", onSelect: () => chooseTheme("light") },
        { label: "Dark", onSelect: () => chooseTheme("dark") },
      ]}
    >
      <IconButton label="Theme">
        <Icon className="size-4" />
      </IconButton>
    </Menu>
  );
}
