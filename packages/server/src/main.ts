// The entry point: passes the command line to the CLI.

import { runCommandLine } from './cli/command-line.ts';

// Bodies of notifications have a few kilobytes. Allocating them from a shared pool saves work in the allocator and GC.
Buffer.poolSize = 65_536;

// If the reader closes the pipe, the remaining output is discarded.
process.stdout.on('error', () => undefined);

await runCommandLine(process.argv);
