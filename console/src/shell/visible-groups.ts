// The groups of the navigation that the session may view.

import { canView, useSession } from "../api/session.ts";
import { navigationGroups } from "./navigation-groups.ts";

export function useVisibleGroups() {
  const self = useSession();
  return navigationGroups
    .map(({ group, items }) => ({
      group,
      items: items.filter(
        ({ operator, area }) => (self.operator || !operator) && (!area || canView(self, area)),
      ),
    }))
    .filter(({ items: visible }) => visible.length > 0);
}
