// How an expression came to its value: each part with its own value, and the parts that decided it marked.

import './evaluation-tree.css';

/** As the service evaluates an expression: `evaluation` of a test, or of a recent change. */
export interface Evaluation {
  text: string;
  /** Its place in the expression. */
  from: number;
  to: number;
  type: string;
  /** For people. Null: the part was not evaluated, or it failed. */
  value: string | null;
  error: string | null;
  /** For a part that is evaluated for each element of a list: the element. */
  element: string | null;
  isDecisive: boolean;
  children: Evaluation[];
  /** How many children were left out. */
  omitted: number;
}

interface EvaluationTreeProps {
  evaluation: Evaluation;
  /** The part under the pointer or with the focus, for example to mark it in the expression. */
  onPoint?(part: { from: number; to: number } | undefined): void;
}

export function EvaluationTree({ evaluation, onPoint }: EvaluationTreeProps) {
  return (
    <ul class="evaluation" aria-label="Values of the parts" onMouseLeave={() => onPoint?.(undefined)}>
      <Part part={evaluation} onPoint={onPoint} />
    </ul>
  );
}

function Part({ part, onPoint }: { part: Evaluation; onPoint: EvaluationTreeProps['onPoint'] }) {
  const { children, omitted, isDecisive } = part;
  const point = () => onPoint?.({ from: part.from, to: part.to });
  if (children.length === 0)
    return (
      <li class={partClass(part)} onMouseEnter={point}>
        <div class="part">
          <PartLine part={part} />
        </div>
      </li>
    );
  return (
    <li class={partClass(part)}>
      {/* What decided is in view, the rest behind a click. */}
      <details open={isDecisive || part.value !== null}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary opens and closes its details. */}
        <summary class="part" onMouseEnter={point} onFocus={point} onBlur={() => onPoint?.(undefined)}>
          <PartLine part={part} />
        </summary>
        <ul>
          {children.map((child, index) => (
            <Part key={index} part={child} onPoint={onPoint} />
          ))}
          {omitted > 0 && <li class="faint">… {omitted} more</li>}
        </ul>
      </details>
    </li>
  );
}

function PartLine({ part: { text, type, value, error, element, isDecisive } }: { part: Evaluation }) {
  return (
    <>
      <Verdict value={value} error={error} />
      <code title={type}>{text}</code>
      {element !== null && <span class="faint">for {element}</span>}
      {value !== null && value !== 'true' && value !== 'false' && (
        <code class="value">
          <span class="faint">=</span> {value}
        </code>
      )}
      {value === null && error === null && <span class="faint">not evaluated</span>}
      {error !== null && <span class="bad">{error}</span>}
      {isDecisive && <span class="decisive-mark">decided</span>}
    </>
  );
}

function Verdict({ value, error }: Pick<Evaluation, 'value' | 'error'>) {
  if (error !== null) return <Mark symbol="!" word="failed" tone="bad" />;
  if (value === 'true') return <Mark symbol="✓" word="true" tone="ok" />;
  if (value === 'false') return <Mark symbol="✕" word="false" tone="bad" />;
  return <span class="verdict" aria-hidden="true" />;
}

function Mark({ symbol, word, tone }: { symbol: string; word: string; tone: string }) {
  return (
    <span class={`verdict ${tone}`} title={word}>
      <span aria-hidden="true">{symbol}</span>
      <span class="hidden">{word}</span>
    </span>
  );
}

function partClass({ isDecisive, value, error }: Evaluation): string | undefined {
  if (isDecisive) return 'decisive';
  return value === null && error === null ? 'skipped' : undefined;
}
