// One row of the settings table, and the functions that create rows.

import type { Parse } from './parse-setting.ts';

export interface SettingRow<T> {
  variable: string;
  /** The default, as written in the environment; undefined if the setting may stay unset. */
  fallback: string | undefined;
  parse: Parse<T>;
  /** What the setting does, for `flaghoist settings` and the reference page. */
  sentence: string;
  /** Whether an empty variable counts as set. By default, it counts as not set. */
  isEmptyGiven?: boolean;
  /** Whether its value may be shown nowhere, such as a secret, or a URL that can have a password. */
  isSecret?: boolean;
}

export function row<T>(variable: string, fallback: string, parse: Parse<T>, sentence: string): SettingRow<T> {
  return { variable, fallback, parse, sentence };
}

export function optional<T>(variable: string, parse: Parse<T>, sentence: string): SettingRow<T | undefined> {
  return { variable, fallback: undefined, parse, sentence };
}

export function secret<T>(variable: string, parse: Parse<T>, sentence: string): SettingRow<T | undefined> {
  return { ...optional(variable, parse, sentence), isSecret: true };
}
