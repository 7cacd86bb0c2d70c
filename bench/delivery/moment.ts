// A monotonic time in milliseconds that all processes of the machine share.

export function nowMs(): number {
  // CLOCK_MONOTONIC counts from the boot of the machine, not from the start of the process.
  return Number(process.hrtime.bigint()) / 1_000_000;
}
