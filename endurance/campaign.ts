// A campaign: how it is called on the command line, and how it is run and reported. Its options are parsed here.

import { randomInt } from 'node:crypto';
import { InvalidArgumentError, Option } from 'commander';
import type { Finding } from './finding.ts';

export type Tell = (line: string) => void;

export interface Report {
  text: string;
  findings: Finding[];
  /** The name of its file, if that is not the name of the campaign. */
  name?: string;
}

export interface Campaign {
  name: string;
  description: string;
  options: Option[];
  run(options: { tell: Tell; seed?: number }): Promise<Report>;
}

interface Declared<Plan, Result> {
  options: Option[];
  run(plan: Plan): Promise<Result>;
  render(result: Result): string;
  reportName?(plan: Plan): string;
}

/** `run` is given the values of the options, by their names, and `tell`. */
export function campaign<Plan, Result extends { findings: Finding[] }>(
  name: string,
  description: string,
  { options, run, render, reportName }: Declared<Plan, Result>,
): Campaign {
  return {
    name,
    description,
    options,
    run: async (given) => {
      // The options are those that `run` takes.
      const plan = given as Plan;
      const result = await run(plan);
      return { text: render(result), findings: result.findings, ...(reportName && { name: reportName(plan) }) };
    },
  };
}

export function count(flags: string, description: string, usual: number): Option {
  return new Option(flags, description).argParser(parseCount).default(usual);
}

/** Each run has its own, unless one is given. */
export function seed(): Option {
  return count('--seed <number>', 'repeats the choices of an earlier run', randomInt(1, 1_000_000));
}

export function seconds(flags: string, description: string, usual: number): Option {
  return new Option(flags, description).argParser(parseSeconds).default(usual);
}

export function minutes(flags: string, description: string, usual: number): Option {
  return new Option(flags, description).argParser(parseMinutes).default(usual);
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('A positive whole number was expected.');
  return Number(text);
}

function parseSeconds(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError('A whole number of seconds was expected.');
  return Number(text);
}

function parseMinutes(text: string): number {
  if (!/^\d{1,4}(\.\d{1,2})?$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError('A positive number was expected.');
  return Number(text);
}
