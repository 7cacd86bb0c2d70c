// Waiting that a signal can end.

export function pause(ms: number, abort: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      abort.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, ms);
    abort.addEventListener('abort', end);
  });
}
