// Colours, on a terminal only.

import type { WriteStream } from 'node:tty';
import { readEnvironment } from '../environment/environment.ts';

export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'grey' | 'bold';

export type Paint = (colour: Colour, text: string) => string;

const codes: Record<Colour, [on: number, off: number]> = {
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  grey: [90, 39],
  bold: [1, 22],
};

export function paintFor(output: Pick<WriteStream, 'isTTY'>): Paint {
  if (!output.isTTY || readEnvironment().forbidsColours) return (_, text) => text;
  return (colour, text) => {
    const [on, off] = codes[colour];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  };
}
