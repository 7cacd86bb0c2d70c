// Reads what schemathesis reports: one JSON object per line, with every request, its answer, and what each check says.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

export interface Failure {
  phase: string;
  check: string;
  /** `PUT /ws/rest/Voyage/{key}` */
  operation: string;
  /** Of the answer; 0 without one. */
  status: number;
  /** The `message` of an error body, or its `error_description` (RFC 6749), else what the check says. */
  message: string;
  /** The messages of its violations. */
  violations: string[];
  /** The request, to repeat it. */
  request: string;
}

export interface Reading {
  casesByPhase: Map<string, number>;
  failures: Failure[];
}

export async function readFailures(file: string): Promise<Reading> {
  const reading: Reading = { casesByPhase: new Map(), failures: [] };
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { ScenarioFinished: scenario } = JSON.parse(line) as { ScenarioFinished?: Scenario };
    if (!scenario) continue;
    const { checks = {} } = scenario.recorder;
    const before = reading.casesByPhase.get(scenario.phase) ?? 0;
    reading.casesByPhase.set(scenario.phase, before + Object.keys(checks).length);
    reading.failures.push(...failuresOf(scenario));
  }
  return reading;
}

interface Scenario {
  phase: string;
  recorder: {
    label: string;
    checks?: Record<string, { name: string; status: string; failure_info?: { failure: { message: string } } }[]>;
    interactions: Record<string, Interaction>;
  };
}

interface Interaction {
  request: { method: string; uri: string; headers: Record<string, string[]>; body?: Content | null };
  response?: { status_code: number; content?: Content | null } | null;
}

interface Content {
  $base64: string;
}

function failuresOf({ phase, recorder }: Scenario): Failure[] {
  return Object.entries(recorder.checks ?? {}).flatMap(([id, checks]) => {
    const interaction = recorder.interactions[id]!;
    return checks
      .filter(({ status }) => status !== 'success')
      .map(({ name, failure_info }) => ({
        phase,
        check: name,
        operation: recorder.label,
        status: interaction.response?.status_code ?? 0,
        message: errorIn(interaction).message ?? failure_info?.failure.message ?? '',
        violations: errorIn(interaction).violations,
        request: renderRequest(interaction),
      }));
  });
}

function errorIn({ response }: Interaction): { message: string | undefined; violations: string[] } {
  try {
    const { message, error_description, violations = [] } = JSON.parse(textOf(response?.content)) as ErrorBody;
    return { message: message ?? error_description, violations: violations.map((violation) => violation.message) };
  } catch {
    return { message: undefined, violations: [] };
  }
}

interface ErrorBody {
  message?: string;
  /** RFC 6749. */
  error_description?: string;
  violations?: { message: string }[];
}

function renderRequest({ request }: Interaction): string {
  const { method, uri, headers, body } = request;
  const own = Object.entries(headers).filter(([name]) => !usual.has(name.toLowerCase()));
  const parts = [method, uri, ...own.map(([name, values]) => `${name}: ${values.join(', ')}`), textOf(body)];
  return parts.join(' | ').slice(0, 1500);
}

const usual = new Set(['accept', 'accept-encoding', 'authorization', 'connection', 'content-length', 'user-agent']);

function textOf(content: Content | null | undefined): string {
  return content ? Buffer.from(content.$base64, 'base64').toString() : '';
}
