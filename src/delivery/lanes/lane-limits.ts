// How much of everything there may be in the memory of this process.

export interface LaneLimits {
  inFlightMax: number;
  inFlightPerLane: number;
  /** What is claimed and not yet sent, at most, but for one batch of each who brings some: of one lane, of all, and of all in bytes. */
  readyPerLane: number;
  readyMax: number;
  bytesMax: number;
  /** Connections to receivers: how many may be open, and whether almost so many are. */
  connectionsMax: number;
  areConnectionsScarce(): boolean;
}
