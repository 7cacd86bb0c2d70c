#!/usr/bin/env node
// The entry point of the commands alone.

import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addServiceCommands, prepareProgram, runProgram } from './index.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

// If the reader closes the pipe, the remaining output is discarded.
process.stdout.on('error', () => undefined);

const program = prepareProgram(new Command('flaghoist-cli'), version).description(
  'Talks to a Flaghoist service: listen to changes, make changes, look after subscriptions.',
);
addServiceCommands(program);
await runProgram(program, process.argv);
