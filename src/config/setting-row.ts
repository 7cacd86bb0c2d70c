// One setting as a row of the table, and the two ways to make one.

import type { Parse } from './parse-setting.ts';

export interface SettingRow<T> {
  variable: string;
  /** As it would stand in the environment; undefined where there is none and the setting may stay unset. */
  fallback: string | undefined;
  parse: Parse<T>;
  sentence: string;
  /** An empty text is a value, and not the same as none. */
  isEmptyGiven?: boolean;
}

export function row<T>(variable: string, fallback: string, parse: Parse<T>, sentence: string): SettingRow<T> {
  return { variable, fallback, parse, sentence };
}

export function optional<T>(variable: string, parse: Parse<T>, sentence: string): SettingRow<T | undefined> {
  return { variable, fallback: undefined, parse, sentence };
}
