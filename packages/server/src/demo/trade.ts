// The shape of a trade: what a ship of the demo carries, and where.

export interface Trade {
  /** The ship that serves the trade. */
  imoNumber: string;
  commodity: string;
  charterer: string;
  cargoMeasurement: 'MT' | 'CBM' | 'LT';
  quantity: number;
  freightRate: number;
  /** Where the ship comes from: the last port of one of its trades. */
  ballastPort: string;
  calls: TradeCall[];
}

export interface TradeCall {
  port: string;
  /** L: load, D: discharge, B: bunker, C: pass a canal. */
  reasonForCall: 'L' | 'D' | 'B' | 'C';
  /** Nautical miles from the previous port. */
  miles: number;
  daysInPort: number;
}

export function call(
  port: string,
  reasonForCall: TradeCall['reasonForCall'],
  miles: number,
  daysInPort: number,
): TradeCall {
  return { port, reasonForCall, miles, daysInPort };
}
