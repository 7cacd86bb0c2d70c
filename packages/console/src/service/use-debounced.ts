// A value that follows another one when it has stayed the same for a while, for searches while a person types.

import { useEffect, useState } from 'preact/hooks';

export function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
