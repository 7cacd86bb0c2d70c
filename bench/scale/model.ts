// A queueing model of an installation: what a change costs in processor time, and from that how many changes a machine
// carries and how long a request takes. It is fitted to a few measured points, and must predict the others.
//
// Processors are one station that all parts share. A request waits for them as in a queue with two servers (M/M/2), and
// for everything else (the disk, the network) a fixed time. A connection that waits for its response sends nothing, so
// the rate and the response time depend on each other (Little's law).

import type { Measured, Point, ProcessorUs } from './measure-point.ts';

export interface MeasuredPoint {
  point: Point;
  measured: Measured;
}

/** Microseconds of processor time. */
export interface Demands {
  ofChange: ProcessorUs;
  ofNotification: ProcessorUs;
}

export interface Model {
  demands: Demands;
  /** How many processors the installation gets, together with the load generator and the receivers. */
  processors: number;
  /** Of a request, besides processor time. */
  fixedMs: number;
}

export interface Prediction {
  changesPerSecond: number;
  responseMs: number;
}

const parts = ['api', 'worker', 'database', 'bench'] as const;

/** `few`, `many`: the same load for different numbers of receivers. `single`: a single connection. */
export function fitModel({ few, many, single }: Record<'few' | 'many' | 'single', MeasuredPoint>): Model {
  const demands = fitDemands(few, many);
  const processors = (few.measured.busyProcessors + many.measured.busyProcessors) / 2;
  const alone = responseDemandMs(demands);
  return { demands, processors, fixedMs: Math.max(0, single.measured.responseMs - alone) };
}

function fitDemands(few: MeasuredPoint, many: MeasuredPoint): Demands {
  const more = many.point.receivers - few.point.receivers;
  const ofNotification = mapParts((part) =>
    Math.max(0, (many.measured.processorUs[part] - few.measured.processorUs[part]) / more),
  );
  const ofChange = mapParts((part) =>
    Math.max(0, few.measured.processorUs[part] - ofNotification[part] * few.point.receivers),
  );
  return { ofChange, ofNotification };
}

export function predict(model: Model, { processes, connections, receivers }: Point): Prediction {
  const us = usOf(model.demands, receivers);
  const whole = parts.reduce((sum, part) => sum + us[part], 0);
  // A process of Node runs its JavaScript on one processor.
  const limits = [model.processors / whole, processes / us.api, processes / us.worker];
  const mostPerSecond = Math.min(...limits) * 1e6;
  return closedLoop(model, { connections, mostPerSecond });
}

/** Finds the rate at which as many requests are in progress as there are connections, by halving. */
function closedLoop(
  { demands, fixedMs }: Model,
  { connections, mostPerSecond }: { connections: number; mostPerSecond: number },
): Prediction {
  const alone = responseDemandMs(demands);
  const responseAt = (perSecond: number) => {
    // A request does not wait for itself.
    const busy = (perSecond / mostPerSecond) * ((connections - 1) / connections);
    return fixedMs + alone / (1 - Math.min(busy, almostAll) ** 2);
  };
  let [low, high] = [0, mostPerSecond];
  for (let round = 0; round < 50; round += 1) {
    const middle = (low + high) / 2;
    if ((middle * responseAt(middle)) / 1000 < connections) low = middle;
    else high = middle;
  }
  return { changesPerSecond: low, responseMs: (connections * 1000) / low };
}

const almostAll = 0.999_9;

/** What happens before the response: all but matching and delivery. */
function responseDemandMs({ ofChange }: Demands): number {
  return (ofChange.api + ofChange.database + ofChange.bench) / 1000;
}

export function usOf({ ofChange, ofNotification }: Demands, receivers: number): ProcessorUs {
  return mapParts((part) => ofChange[part] + ofNotification[part] * receivers);
}

/** How many processors each part needs for this load, if none of them is busier than `busyMax`. */
export function processorsFor(
  { demands }: Model,
  { changesPerSecond, receivers, busyMax }: { changesPerSecond: number; receivers: number; busyMax: number },
): ProcessorUs {
  const us = usOf(demands, receivers);
  return mapParts((part) => (us[part] * changesPerSecond) / 1e6 / busyMax);
}

function mapParts(value: (part: (typeof parts)[number]) => number): ProcessorUs {
  return { api: value('api'), worker: value('worker'), database: value('database'), bench: value('bench') };
}
