// Short notices at the bottom of the page: what was done, with a way to undo it, or what went wrong.

import { signal } from '@preact/signals';
import { messageOf, ServiceError } from '../service/service-error.ts';

interface NoticeAction {
  label: string;
  /** An error that it throws is shown as a notice, too. */
  run(): unknown;
}

interface Notice {
  id: number;
  text: string;
  isError: boolean;
  action: NoticeAction | undefined;
}

const notices = signal<readonly Notice[]>([]);
let lastId = 0;

const shownMs = 6_000;

export function notify(text: string, action?: NoticeAction): void {
  add({ text, action, isError: false }, action ? shownMs * 2 : shownMs);
}

/** Stays longer: a person has to read it and act. */
export function notifyError(error: unknown): void {
  const id =
    error instanceof ServiceError && error.status >= 500 && error.requestId ? ` (request ${error.requestId})` : '';
  add({ text: `${messageOf(error)}${id}`, isError: true, action: undefined }, shownMs * 3);
}

function add(notice: Omit<Notice, 'id'>, ms: number): void {
  lastId += 1;
  const id = lastId;
  notices.value = [...notices.value.slice(-3), { ...notice, id }];
  setTimeout(() => remove(id), ms);
}

function remove(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, text, isError, action }) => (
        <div key={id} class={isError ? 'notice bad' : 'notice'}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              class="button quiet"
              onClick={async () => {
                remove(id);
                try {
                  await action.run();
                } catch (error) {
                  notifyError(error);
                }
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="button quiet" aria-label="Dismiss" onClick={() => remove(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
