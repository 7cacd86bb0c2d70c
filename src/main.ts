#!/usr/bin/env node
// The entry: hands the command line to the CLI.

import { runCommandLine } from './cli/command-line.ts';

// Bodies of notifications are a few kilobytes: taken from a common block, they cost the allocator and the collector little.
Buffer.poolSize = 65_536;

// Whoever has read enough may go: what is left to say is said to nobody.
process.stdout.on('error', () => undefined);

await runCommandLine(process.argv);
