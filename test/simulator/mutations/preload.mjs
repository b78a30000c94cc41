// Plants the bug that FREEHOLD_MUTATION names into every process of a test: node --import=.../preload.mjs
if (process.env.FREEHOLD_MUTATION && process.features.typescript) {
  const { applyMutation } = await import("./apply.ts");
  applyMutation(process.env.FREEHOLD_MUTATION);
}
