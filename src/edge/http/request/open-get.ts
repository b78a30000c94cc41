// GET routes that need no key. They answer HEAD too, by which monitors and link checkers look.

export const OPEN_GET = { config: { needs: "nothing" as const }, exposeHeadRoute: true };
