// The parameters of a script: checks their declarations, and whether the values of a subscription fit them.

import { quoteText } from '@flaghoist/source-text';
import { scriptParameterTypes } from '../model/catalogue/alert-script.ts';
import type { Mistake } from '../objects/mistake.ts';

export interface ScriptParameter {
  readonly name: string;
  readonly type: (typeof scriptParameterTypes)[number];
  readonly default?: unknown;
  readonly required?: boolean;
  readonly description?: string;
}

const parametersMax = 50;
const textMax = 10_000;
const members = new Set(['name', 'type', 'default', 'required', 'description']);

/** `given` is JSON. Each mistake has its path, beginning with `parameters`. */
export function checkParameters(given: string | null): { parameters: ScriptParameter[]; mistakes: Mistake[] } {
  const value: unknown = given === null ? [] : JSON.parse(given);
  if (value === null) return { parameters: [], mistakes: [] };
  if (!Array.isArray(value)) return { parameters: [], mistakes: [mistakeAt('parameters', 'must be an array.')] };
  if (value.length > parametersMax)
    return { parameters: [], mistakes: [mistakeAt('parameters', `may have at most ${parametersMax}.`)] };
  const seen = new Set<unknown>();
  const mistakes = value.flatMap((each: unknown, index) => {
    const place = `parameters[${index}]`;
    if (typeof each !== 'object' || each === null || Array.isArray(each))
      return [mistakeAt(place, 'must be an object with name and type.')];
    const { name } = each as ScriptParameter;
    const repeated = seen.has(name) ? [mistakeAt(`${place}.name`, 'is the name of another parameter.')] : [];
    seen.add(name);
    return [...repeated, ...checkParameter(each as Record<string, unknown>, place)];
  });
  return { parameters: mistakes.length > 0 ? [] : value, mistakes };
}

function checkParameter(given: Record<string, unknown>, place: string): Mistake[] {
  const { name, type, required, description } = given;
  const mistakes = Object.keys(given)
    .filter((member) => !members.has(member))
    .map((member) => mistakeAt(place, `has no member ${quoteText(member)}: there are ${[...members].join(', ')}.`));
  const expect = (isValid: boolean, member: string, message: string) => {
    if (!isValid) mistakes.push(mistakeAt(`${place}.${member}`, message));
  };
  const isName = typeof name === 'string' && /^[A-Za-z_]\w{0,63}$/.test(name) && name !== '__proto__';
  const isType = scriptParameterTypes.some((each) => each === type);
  expect(isName, 'name', 'must begin with a letter and have at most 64 letters and digits.');
  expect(isType, 'type', `must be one of ${scriptParameterTypes.join(', ')}.`);
  expect(required === undefined || typeof required === 'boolean', 'required', 'must be true or false.');
  expect(description === undefined || typeof description === 'string', 'description', 'must be a text.');
  if (isType && given.default != null)
    mistakes.push(...checkValue(given.default, type as ScriptParameter['type'], `${place}.default`));
  return mistakes;
}

/** Checks the values of a subscription. `given` is JSON. */
export function checkValues(given: string | null, parameters: readonly ScriptParameter[]): Mistake[] {
  const place = 'scriptParameterValues';
  const value: unknown = given === null ? {} : (JSON.parse(given) ?? {});
  if (typeof value !== 'object' || Array.isArray(value))
    return [mistakeAt(place, 'must be an object of names and values.')];
  const values = new Map(Object.entries(value as object));
  const known = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const names = parameters.map(({ name }) => name).join(', ');
  const unknown = [...values.keys()]
    .filter((name) => !known.has(name))
    .map((name) =>
      mistakeAt(place, `the script has no parameter ${quoteText(name)}${names === '' ? '' : `: there are ${names}`}.`),
    );
  const wrong = parameters.flatMap(({ name, type, default: fallback, required }) => {
    const sent = values.get(name) ?? undefined;
    if (sent !== undefined) return checkValue(sent, type, `${place}.${name}`);
    return required && fallback == null ? [mistakeAt(`${place}.${name}`, 'is required by the script.')] : [];
  });
  return [...unknown, ...wrong];
}

/** Renders all parameters as JSON: the value of the subscription, else the default, else null. */
export function renderValues(given: string | null, parameters: readonly ScriptParameter[]): string {
  const values = new Map(Object.entries((given === null ? {} : (JSON.parse(given) ?? {})) as object));
  const all = parameters.map(({ name, default: fallback }) => [name, values.get(name) ?? fallback ?? null]);
  return JSON.stringify(Object.fromEntries(all));
}

function checkValue(value: unknown, type: ScriptParameter['type'], place: string): Mistake[] {
  return fits[type](value) ? [] : [mistakeAt(place, `must be ${wanted[type]}.`)];
}

const fits: Record<ScriptParameter['type'], (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string' && value.length <= textMax,
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
  dateTime: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(value) && isDate(value),
};

const wanted: Record<ScriptParameter['type'], string> = {
  text: `a text of at most ${textMax} characters`,
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  dateTime: 'a time like 2026-11-15T08:30:00',
};

function isDate(text: string): boolean {
  return !Number.isNaN(Date.parse(`${text}Z`)) && new Date(`${text}Z`).toISOString().startsWith(text);
}

function mistakeAt(name: string, message: string): Mistake {
  return { name, message };
}
