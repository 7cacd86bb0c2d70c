// How the service runs: what waits, which processes deliver, and all settings.

import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '../../elements/button.tsx';
import { Loading } from '../../elements/loading.tsx';
import { Fact, Facts, Page, Section } from '../../elements/page.tsx';
import { durationText, Time, TimeUntil } from '../../elements/time.tsx';
import { useLoaded } from '../../service/use-loaded.ts';
import { viewedUser } from '../../session/viewed-user.ts';
import { changeDemo, type Demo, type Installation, loadInstallation, type Queue, type Worker } from './installation.ts';
import { Settings } from './settings.tsx';
import './system.css';

const reloadEveryMs = 5_000;

export function SystemPage() {
  const installation = useLoaded(loadInstallation, []);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || installation.reload(), reloadEveryMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <Page title="System">
      <Loading of={installation}>{(value) => <Shown installation={value} onChange={installation.reload} />}</Loading>
    </Page>
  );
}

function Shown({ installation, onChange }: { installation: Installation; onChange(): void }) {
  const { environment, version, baseUrl, startedAt, database, demo, queues, workers, settings } = installation;
  return (
    <>
      <Facts>
        <Fact name="Environment">{environment.toLowerCase()}</Fact>
        <Fact name="Version">{version}</Fact>
        <Fact name="URL">
          <span class="mono">{baseUrl}</span>
        </Fact>
        <Fact name="Process started">
          <Time at={startedAt} />
        </Fact>
        {database && (
          <Fact name="Database">
            PostgreSQL {database.version}, {database.kind === 'EMBEDDED' ? 'embedded' : 'a server of its own'}
          </Fact>
        )}
      </Facts>
      <Section title="Waiting">{queues ? <Queues queues={queues} /> : <Unknown />}</Section>
      <Section title="Processes that deliver">{workers ? <Workers workers={workers} /> : <Unknown />}</Section>
      <Section title="Demo fleet">
        <DemoFleet demo={demo} onChange={onChange} />
      </Section>
      {settings && <Settings settings={settings} />}
    </>
  );
}

function Unknown() {
  return <p class="faint">Counting takes too long at the moment.</p>;
}

const queueWords: Record<Queue['name'], string> = {
  events: 'Changes to be matched',
  shaping: 'For a script or a stylesheet',
  ready: 'Ready, or being sent',
  blocked: 'For an earlier one about the same object',
  retry: 'For the next attempt',
  parked: 'Of inactive users',
  stream: 'For a consumer of a stream',
};

function Queues({ queues }: { queues: readonly Queue[] }) {
  return (
    <PlainTable
      label="What waits"
      head={[{ name: 'What' }, { name: 'How many', isNumber: true }, { name: 'The oldest for', isNumber: true }]}
    >
      {queues.map(({ name, waiting, oldestSeconds }) => (
        <tr key={name}>
          <th scope="row">{queueWords[name]}</th>
          <td class="number">{waiting.toLocaleString()}</td>
          <td class="number">{waiting === 0 ? '–' : durationText(oldestSeconds * 1_000)}</td>
        </tr>
      ))}
    </PlainTable>
  );
}

const workerMarks = {
  ALIVE: <span class="ok">✓ Alive</span>,
  LATE: <span class="warn">◌ Late</span>,
  DEAD: <span class="bad">✕ Dead: others take over</span>,
};

function Workers({ workers }: { workers: readonly Worker[] }) {
  if (workers.length === 0)
    return <p class="bad">✕ None: nothing is delivered. Start a process with the role “worker” (FLAGHOIST_ROLES).</p>;
  return (
    <PlainTable label="Processes that deliver" head={[{ name: 'Id' }, { name: 'State' }, { name: 'Lease ends' }]}>
      {workers.map(({ id, state, leaseEnds }) => (
        <tr key={id}>
          <th scope="row" class="mono">
            {id}
          </th>
          <td>{workerMarks[state]}</td>
          <td>{leaseEnds ? <TimeUntil at={leaseEnds} /> : '–'}</td>
        </tr>
      ))}
    </PlainTable>
  );
}

interface PlainTableProps {
  label: string;
  head: readonly { name: string; isNumber?: boolean }[];
  children: ComponentChildren;
}

function PlainTable({ label, head, children }: PlainTableProps) {
  return (
    <table class="plain" aria-label={label}>
      <thead>
        <tr>
          {head.map(({ name, isNumber }) => (
            <th key={name} scope="col" class={isNumber ? 'number' : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function DemoFleet({ demo, onChange }: { demo: Demo; onChange(): void }) {
  const isRunning = demo.state === 'RUNNING';
  const change = async (action: 'START' | 'STOP') => {
    await changeDemo(action);
    onChange();
  };
  return (
    <>
      <p class="system-line">
        {isRunning ? (
          <span class="ok">✓ It sails: voyages, port calls and bunker orders change every few seconds.</span>
        ) : (
          (demo.reason ?? 'Ships whose voyages, port calls and bunker orders change every few seconds.')
        )}
      </p>
      {demo.failure && <p class="warn system-line">! {demo.failure}</p>}
      {(isRunning || demo.canStart) && !viewedUser.value && (
        <div class="toolbar">
          <Button onClick={() => change(isRunning ? 'STOP' : 'START')}>
            {isRunning ? 'Stop the demo fleet' : 'Start the demo fleet'}
          </Button>
          {demo.failure && <Button onClick={() => change('STOP')}>Dismiss the message</Button>}
        </div>
      )}
    </>
  );
}
