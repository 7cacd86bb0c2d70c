// For a child process: prints how many modules of OpenTelemetry it has loaded, when it ends.

const { _cache: loaded } = require('node:module');

process.on('exit', () => {
  const count = Object.keys(loaded).filter((path) => path.includes('@opentelemetry')).length;
  process.stdout.write(`modules of OpenTelemetry: ${count}\n`);
});
