// A driver with some commands replaced, for what takes part in them.

import type { Driver } from "../../drivers/driver.ts";

export function overrideDriver(driver: Driver, overrides: Partial<Driver>): Driver {
  return new Proxy(driver, {
    get(target, name) {
      const own = overrides[name as keyof Driver];
      if (own !== undefined) return own;
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
