// Gives back at once the memory of an engine that is not used any more. Left alone, V8 may keep one of 40 MB for long: the
// heap of its thread, by which it decides, is small.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage = runInNewContext('gc') as () => void;
