// Renders the result of an attack.

import { renderNumber, renderTable } from '../../bench/harness/report.ts';
import { renderFindings, renderMachine } from '../render-outcome.ts';
import type { AttackResult } from './attack-run.ts';
import { healthMsMax, type Phase, p50TimesMax, p99TimesMax, postgresMbMax, serviceMbMax } from './judge-attack.ts';

export function renderAttack(result: AttackResult): string {
  const { kind, calm, attacked, statuses, peak, findings, facts } = result;
  const responses = [...statuses].map(([status, times]) => `${times} × ${status === 0 ? 'no response' : status}`);
  const dist = result.dist === undefined ? '' : ', service of `--dist`';
  return `# ${titles[kind]}

${result.connections} connections of one client, ${result.voyages} voyages with 20 port calls each,
${result.seconds} s a phase${dist}.

${renderTable({
  columns: ['', 'responses', 'p50 ms', 'p99 ms', 'max ms', 'health p50 ms', 'health max ms'],
  rows: [rowOf('without attack', calm), rowOf('under attack', attacked)],
})}

- The other client: \`GET Currency?limit=1\`; at most ${p50TimesMax} times the p50 and ${p99TimesMax} times
  the p99 without the attack, never rejected.
- Health: at most ${healthMsMax} ms.
- Peak memory: service ${renderNumber(peak.serviceMb)} MB (RSS; at most ${serviceMbMax}),
  PostgreSQL ${renderNumber(peak.postgresMb)} MB (sum of PSS over its processes; at most ${postgresMbMax}).
- Responses to the attacker: ${responses.join(', ')}${kind === 'unread' ? ', on the one connection that it read' : ''}.

${findings.length === 0 ? 'No findings.' : renderFindings(findings)}

${renderMachine(facts)}
`;
}

const titles = {
  starve: 'One client requests large lists',
  unread: 'One client reads none of its responses',
  swell: 'One client requests single large objects',
};

function rowOf(name: string, { victim, health }: Phase): string[] {
  const ms = [victim.p50Ms, victim.p99Ms, victim.maxMs, health.p50Ms, health.maxMs];
  return [name, String(victim.answers), ...ms.map((value) => renderNumber(value, 1))];
}
