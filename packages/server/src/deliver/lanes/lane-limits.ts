// Limits on what this process has in memory and in flight.

export interface LaneLimits {
  inFlightMax: number;
  inFlightPerLane: number;
  /** Claimed and not yet sent: per lane, in all, and in all by bytes. Each source may exceed these by one batch. */
  readyPerLane: number;
  readyMax: number;
  bytesMax: number;
  /** Connections to receivers: how many may be open, and whether that limit is almost reached. */
  connectionsMax: number;
  areConnectionsScarce(): boolean;
}
