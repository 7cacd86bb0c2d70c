// A thread that does as its items say: answers, runs forever, throws, ends itself, eats memory, or fails on its own
// later.

import { threadId } from 'node:worker_threads';
import { serveItems } from '../dist/serve-items.js';

function work(item) {
  switch (item.does) {
    case 'run forever':
      for (;;);
    case 'throw':
      throw new Error('thrown on purpose');
    case 'end the thread':
      return process.exit(3);
    case 'eat memory': {
      const eaten = [];
      for (;;) eaten.push(new Array(1000).fill(eaten.length));
    }
    case 'say it took too long':
      return 'too long';
    case 'print':
      process.stdout.write('x'.repeat(1_000_000));
      return threadId;
    case 'take a while': {
      const end = performance.now() + item.ms;
      while (performance.now() < end);
      return threadId;
    }
    default:
      return item.does === 'tell the environment' ? JSON.stringify(process.env) : threadId;
  }
}

serveItems(work, (answer) => answer === 'too long');
