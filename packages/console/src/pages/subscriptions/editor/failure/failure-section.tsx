// What happens if deliveries fail, and how fast and in which order notifications are sent.

import { Check, Choice, TextField } from '../../../../elements/field.tsx';
import { Radios } from '../../../../elements/radios.tsx';
import { channelUses } from '../../draft/channel-uses.ts';
import { policyOf } from '../../draft/draft-body.ts';
import type { EditorForm } from '../../draft/form.ts';
import { RetryLine } from './retry-line.tsx';
import { scheduleOf } from './retry-schedule.ts';

interface FailureSectionProps {
  form: EditorForm;
  /** What the service does without a policy. */
  fallback: { attempts: number; intervalSeconds: number };
}

export function FailureSection({ form, fallback }: FailureSectionProps) {
  const { draft, change, errorOf, isSaved } = form;
  const { isRetried, isStreamed } = channelUses[draft.channelType];
  return (
    <>
      {isRetried && <Retries form={form} fallback={fallback} />}
      {isStreamed && <p class="faint">A stream is never deactivated. What is not acknowledged is kept.</p>}
      {isRetried && (
        <Check
          label="Never deactivate"
          hint="the notification fails, and the next one is tried"
          isChecked={draft.doNotUnsubscribe}
          onChange={(doNotUnsubscribe) => change({ doNotUnsubscribe })}
        />
      )}
      <TextField
        label="At most per second"
        placeholder="no limit"
        value={draft.ratePerSecond}
        onInput={(ratePerSecond) => change({ ratePerSecond })}
        error={errorOf('ratePerSecond')}
        hint="From 0.01 to 1,000. What is over the rate waits, and is not failed."
      />
      <Radios
        label="Order"
        value={draft.ordering}
        choices={[
          { value: 'NONE', label: 'As fast as possible' },
          {
            value: 'OBJECT',
            label: 'In order',
            hint: 'of the changes to each object; a failing one holds the next back',
          },
        ]}
        onChange={(ordering) => change({ ordering: ordering as typeof draft.ordering })}
        disabled={isSaved}
      />
    </>
  );
}

function Retries({ form: { draft, change, errorOf }, fallback }: FailureSectionProps) {
  const { retry } = draft;
  const schedule = scheduleOf(policyOf(retry), fallback);
  const set = (part: Partial<typeof retry>) => change({ retry: { ...retry, ...part } });
  const end = draft.doNotUnsubscribe
    ? 'Then the notification is failed.'
    : 'Then the notification is failed and the subscription is deactivated.';
  return (
    <>
      <Radios
        label="Attempts"
        value={retry.isDefault ? 'DEFAULT' : 'OWN'}
        choices={[
          { value: 'DEFAULT', label: 'As the service does' },
          { value: 'OWN', label: 'My own schedule' },
        ]}
        onChange={(choice) => set({ isDefault: choice === 'DEFAULT' })}
      />
      {!retry.isDefault && (
        <div class="nested columns">
          <TextField
            label="Attempts"
            type="number"
            placeholder={String(fallback.attempts)}
            value={retry.attempts}
            onInput={(attempts) => set({ attempts })}
            error={errorOf('retryPolicy.attempts')}
          />
          <TextField
            label="Seconds between"
            type="number"
            placeholder={String(fallback.intervalSeconds)}
            value={retry.intervalSeconds}
            onInput={(intervalSeconds) => set({ intervalSeconds })}
            error={errorOf('retryPolicy.intervalSeconds')}
          />
          <Choice
            label="Backoff"
            value={retry.backoff}
            choices={[
              { value: 'FIXED', label: 'Fixed' },
              { value: 'EXPONENTIAL', label: 'Doubling' },
            ]}
            onChange={(backoff) => set({ backoff: backoff as typeof retry.backoff })}
          />
          {retry.backoff === 'EXPONENTIAL' && (
            <TextField
              label="Longest, in seconds"
              type="number"
              placeholder="86400"
              value={retry.maxIntervalSeconds}
              onInput={(maxIntervalSeconds) => set({ maxIntervalSeconds })}
              error={errorOf('retryPolicy.maxIntervalSeconds')}
            />
          )}
        </div>
      )}
      {schedule && <RetryLine schedule={schedule} end={end} />}
      {errorOf('retryPolicy') && <p class="field-error">{errorOf('retryPolicy')}</p>}
    </>
  );
}
