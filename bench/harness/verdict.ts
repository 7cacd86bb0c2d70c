// Whether a target was met, as one line to quote.

export interface Target {
  /** Such as `GET one Voyage, of the peer`. See `renderVerdict`. */
  what: string;
  kind: 'atLeast' | 'atMost';
  value: number;
  unit?: string;
}

export interface Verdict {
  target: Target;
  measured: number;
  isMet: boolean;
}

export function judge(target: Target, measured: number): Verdict {
  return { target, measured, isMet: target.kind === 'atLeast' ? measured >= target.value : measured <= target.value };
}

/** `GET one Voyage, of the peer: 0.91, target at least 0.80: met` */
export function renderVerdict({ target, measured, isMet }: Verdict): string {
  const unit = target.unit === undefined ? '' : ` ${target.unit}`;
  const limit = `${target.kind === 'atLeast' ? 'at least' : 'at most'} ${render(target.value)}${unit}`;
  return `${target.what}: ${render(measured)}${unit}, target ${limit}: ${isMet ? 'met' : 'MISSED'}`;
}

function render(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
