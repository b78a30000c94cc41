// The groups of the navigation that the session may view.

import { type Area, canView, useSession } from "../api/session.ts";
import { navigationGroups } from "./navigation-groups.ts";

export function useVisibleGroups() {
  const self = useSession();
  const isViewable = ({ area }: { area?: Area }) => !area || canView(self, area);
  return navigationGroups
    .map(({ group, items }) => ({
      group,
      items: items
        .filter((item) => (self.operator || !item.operator) && isViewable(item))
        .map(({ parts, ...item }) => ({ ...item, parts: parts?.filter(isViewable) ?? [item] })),
    }))
    .filter(({ items: visible }) => visible.length > 0);
}
