// Loaded into a process before its program: a rest of ten minutes, as of housekeeping, takes a tenth of a second.

const { setTimeout: realSetTimeout } = globalThis;

globalThis.setTimeout = (work, ms, ...values) => realSetTimeout(work, ms >= 600_000 ? 100 : ms, ...values);
