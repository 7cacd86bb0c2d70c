// What the draft would do: which of the last changes match, why or why not, and what would be sent.

import { useState } from 'preact/hooks';
import { CodeBlock } from '../../../../elements/copied.tsx';
import { EvaluationTree } from '../../../../elements/evaluation-tree.tsx';
import { Skeleton } from '../../../../elements/loading.tsx';
import { messageOf } from '../../../../service/service-error.ts';
import { BodyView } from './body-view.tsx';
import { RecentChanges } from './recent-changes.tsx';
import { changeKey, type Recent, type RecentChange, rejectionsOf, type TriedDraft } from './use-recent.ts';

interface ResultPanelProps {
  tried: TriedDraft;
  onPoint(part: { from: number; to: number } | undefined): void;
}

export function ResultPanel({ tried, onPoint }: ResultPanelProps) {
  return (
    <section class="result" aria-label="Result" aria-busy={tried.kind === 'trying'}>
      <Content tried={tried} onPoint={onPoint} />
    </section>
  );
}

function Content({ tried, onPoint }: ResultPanelProps) {
  switch (tried.kind) {
    case 'waiting':
      return (
        <p class="faint">
          Choose a type of objects. Here you will see which of the last changes match, and what is sent.
        </p>
      );
    case 'rejected':
      return <Rejected error={tried.error} />;
    case 'trying':
      return tried.recent ? <Tried recent={tried.recent} onPoint={onPoint} /> : <Skeleton rows={8} />;
    case 'tried':
      return <Tried recent={tried.recent} onPoint={onPoint} />;
  }
}

function Rejected({ error }: { error: unknown }) {
  const rejections = rejectionsOf(error);
  if (rejections.length === 0) return <p class="faint">{messageOf(error)}</p>;
  return (
    <>
      <p class="faint">The last changes are tried as soon as this is corrected:</p>
      <ul class="rejected">
        {rejections.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  );
}

function Tried({ recent, onPoint }: { recent: Recent; onPoint: ResultPanelProps['onPoint'] }) {
  const { changes, matched, examined } = recent;
  const [chosenKey, setChosenKey] = useState<string | undefined>(undefined);
  const chosen =
    changes.find((change) => changeKey(change) === chosenKey) ?? changes.find(({ isMatch }) => isMatch) ?? changes[0];
  if (!chosen)
    return <p class="faint">Nothing of this kind has changed lately. Change an object, and it appears here.</p>;
  return (
    <>
      <div role="status">
        <h2>{headline(matched, examined)}</h2>
      </div>
      <RecentChanges changes={changes} chosen={changeKey(chosen)} onChoose={setChosenKey} />
      <ChosenChange change={chosen} onPoint={onPoint} />
    </>
  );
}

function headline(matched: number, examined: number): string {
  if (examined === 1) return matched === 1 ? 'The last change matches' : 'The last change does not match';
  const start = `Of the last ${examined} changes`;
  if (matched === 0) return `${start} none matches`;
  if (matched === examined) return `The last ${examined} changes all match`;
  return `${start} ${matched} ${matched === 1 ? 'matches' : 'match'}`;
}

function ChosenChange({ change, onPoint }: { change: RecentChange; onPoint: ResultPanelProps['onPoint'] }) {
  const { evaluation, body, isMatch, reason, message, log } = change;
  return (
    <>
      {reason !== 'NOTIFIED' && <p>{message}</p>}
      {evaluation && <EvaluationTree evaluation={evaluation} onPoint={onPoint} />}
      {log && log.length > 0 && <CodeBlock text={log.join('\n')} label="Log of the script" />}
      {body && <BodyView change={change} body={body} />}
      {isMatch && !body && <p class="faint">What is sent is shown for the newest matches.</p>}
    </>
  );
}
