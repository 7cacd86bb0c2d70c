// The shape of a trade: what a ship of the demo carries, and where.

export interface Trade {
  /** The ship that does it. */
  imoNumber: string;
  commodity: string;
  charterer: string;
  cargoMeasurement: 'MT' | 'CBM' | 'LT';
  quantity: number;
  freightRate: number;
  /** Where the ship comes from: the last port of another trade of hers, or of this one. */
  ballastPort: string;
  calls: TradeCall[];
}

export interface TradeCall {
  port: string;
  /** L loads, D discharges, B bunkers, C passes a canal. */
  reasonForCall: 'L' | 'D' | 'B' | 'C';
  /** Sea miles from the port before. */
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
