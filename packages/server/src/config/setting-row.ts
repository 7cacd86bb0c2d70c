// One row of the settings table, and the two functions that make one.

import type { Parse } from './parse-setting.ts';

export interface SettingRow<T> {
  variable: string;
  /** The default, as written in the environment; undefined if the setting may stay unset. */
  fallback: string | undefined;
  parse: Parse<T>;
  sentence: string;
  /** An empty text is a value, not the same as an unset variable. */
  isEmptyGiven?: boolean;
}

export function row<T>(variable: string, fallback: string, parse: Parse<T>, sentence: string): SettingRow<T> {
  return { variable, fallback, parse, sentence };
}

export function optional<T>(variable: string, parse: Parse<T>, sentence: string): SettingRow<T | undefined> {
  return { variable, fallback: undefined, parse, sentence };
}
