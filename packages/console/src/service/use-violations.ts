// The mistakes that the service found in a form, for the fields that they belong to.

import { useState } from 'preact/hooks';
import { ServiceError } from './service-error.ts';

export interface Violations {
  /** The mistakes of a field, by the name of its attribute. */
  errorOf(name: string): string | undefined;
  /** Throws what belongs to no field, so that it is shown as a notice. */
  attempt(save: () => Promise<void>): Promise<void>;
}

export function useViolations(fields: readonly string[]): Violations {
  const [error, setError] = useState<ServiceError | undefined>(undefined);
  const messages = (name: string) =>
    (error?.violations ?? [])
      .filter(({ path }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`))
      .map(({ message }) => message);
  return {
    errorOf: (name) => messages(name).join(' ') || undefined,
    attempt: async (save) => {
      setError(undefined);
      try {
        await save();
      } catch (reason) {
        if (!(reason instanceof ServiceError) || reason.violations.length === 0) throw reason;
        setError(reason);
        const others = reason.violations.filter(({ path }) => !fields.some((name) => path.startsWith(name)));
        if (others.length > 0) throw new Error(others.map(({ path, message }) => `${path}: ${message}`).join(' '));
      }
    },
  };
}
