// Stops the parts of a service in the reverse order of their start.

/** `msLeft`: the rest of the time that a stop may take. */
export type StopStep = (msLeft: () => number) => Promise<void>;

/** All steps share one deadline: a step that ends early leaves its time to the others. If one fails, the others run. */
export async function stopAll(stops: StopStep[], timeoutMs: number): Promise<void> {
  const endsAt = performance.now() + timeoutMs;
  const msLeft = () => Math.max(0, Math.ceil(endsAt - performance.now()));
  const failures: unknown[] = [];
  for (const step of stops.splice(0).reverse()) await step(msLeft).catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
