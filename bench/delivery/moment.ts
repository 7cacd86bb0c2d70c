// The time that all processes of a machine have in common, in milliseconds, never set back.

export function nowMs(): number {
  // CLOCK_MONOTONIC counts from the start of the machine, not from that of the process.
  return Number(process.hrtime.bigint()) / 1_000_000;
}
