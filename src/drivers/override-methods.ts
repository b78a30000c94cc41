// An object with some methods replaced, such as a driver for what takes part in its commands.

export function overrideMethods<Target extends object>(
  object: Target,
  overrides: Partial<Target>,
): Target {
  return new Proxy(object, {
    get(target, name) {
      const own = overrides[name as keyof Target];
      if (own !== undefined) return own;
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
