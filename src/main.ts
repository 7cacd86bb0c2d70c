#!/usr/bin/env node
// The entry: hands the command line to the CLI.

import { runCommandLine } from './cli/command-line.ts';

await runCommandLine(process.argv);
