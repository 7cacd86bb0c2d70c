// A script, as the service shows it.

export const parameterTypes = ['text', 'number', 'integer', 'boolean', 'dateTime'] as const;

export interface ScriptParameter {
  name: string;
  type: (typeof parameterTypes)[number];
  default?: unknown;
  required?: boolean;
  description?: string;
}

export interface AlertScript {
  key: number;
  code: string;
  name: string;
  description: string | null;
  body: string;
  parameters: ScriptParameter[] | null;
  fields: unknown;
}
