// Loaded before the service: on SIGUSR2, prints how much of the heap is in use after a full garbage collection.

const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

process.on('SIGUSR2', () => {
  collect();
  process.stdout.write(`heap in use: ${process.memoryUsage().heapUsed}\n`);
});
