// All test files share one Freehold.
export default { test: { globalSetup: ["freehold-testing/vitest"] } };
