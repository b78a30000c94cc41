// Loaded before everything else, it makes a process believe in another time of day than its machine's.
const skewMs = Number(process.env.TEST_SKEW_MS);
const now = Date.now;
Date.now = () => now() + skewMs;
