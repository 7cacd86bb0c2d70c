// Why a subscription was notified of a change, or why not, in one sentence. The question is in the address, so that the
// answer can be pasted to a colleague.

import { Choice } from '../../elements/field.tsx';
import { Empty, Loading } from '../../elements/loading.tsx';
import { Page } from '../../elements/page.tsx';
import { ReferenceField } from '../../elements/reference-field.tsx';
import { loadModel, type Model, type ModelType } from '../../model/model.ts';
import { place, setQuery } from '../../routing/location.ts';
import { request } from '../../service/request.ts';
import { useLoaded } from '../../service/use-loaded.ts';
import { Answer } from './answer.tsx';
import { ChangeChoice } from './change-choice.tsx';
import type { Decision } from './decision.ts';
import './why-not.css';

interface Question {
  type: string;
  object: string;
  subscription: string;
  change: string;
}

function readQuestion(): Question {
  const { query } = place.value;
  const read = (name: string) => query.get(name) ?? '';
  return { type: read('type'), object: read('object'), subscription: read('subscription'), change: read('change') };
}

export function WhyNotPage() {
  const question = readQuestion();
  const loaded = useLoaded(loadModel, []);
  return (
    <Page title="Why not?">
      <p class="lead">
        Choose an object or one of its changes, and a subscription. The answer says which rule decided.
      </p>
      <Loading of={loaded}>
        {(model) => (
          <>
            <Form question={question} model={model} />
            {question.object === '' && question.change === '' ? (
              <Empty>The history of an object also leads here: “nobody notified: why?”</Empty>
            ) : (
              <Answers question={question} />
            )}
          </>
        )}
      </Loading>
    </Page>
  );
}

function Form({ question, model }: { question: Question; model: Model }) {
  const types = model.types.filter(({ makesEvents }) => makesEvents);
  const ask = (changes: Partial<Record<keyof Question, string>>) => setQuery({ ...changes, change: undefined });
  return (
    <div class="question">
      <Choice
        label="Type"
        value={question.type}
        onChange={(type) => ask({ type, object: '' })}
        choices={[{ value: '', label: 'Choose' }, ...types.map(({ name }) => ({ value: name, label: name }))]}
      />
      <ReferenceField
        key={question.type}
        label="Object"
        type={model.byName.get(question.type)}
        value={question.object}
        onInput={(object) => ask({ object })}
      />
      <ChangeChoice
        objectType={question.type}
        objectKey={question.object}
        value={question.change}
        onChange={(change) => setQuery({ change })}
      />
      <ReferenceField
        label="Subscription"
        hint="Empty: all that you may see."
        type={subscriptionByName(model)}
        value={question.subscription}
        onInput={(subscription) => setQuery({ subscription })}
      />
    </div>
  );
}

/** People know a subscription by its name. */
function subscriptionByName({ byName }: Model): ModelType | undefined {
  const type = byName.get('WebhookSubscription');
  return type && { ...type, shownBy: ['name'] };
}

function Answers({ question: { object, subscription, change } }: { question: Question }) {
  const loaded = useLoaded(
    (signal) => {
      const path = subscription === '' ? '/WebhookSubscription' : `/WebhookSubscription/${subscription}`;
      const query = { objectKey: object || undefined, event: change || undefined, limit: 50 };
      return request<Decision[]>(`${path}/decisions`, { query, signal });
    },
    [object, subscription, change],
  );
  return (
    <Loading of={loaded}>
      {(decisions) =>
        decisions.length === 0 ? (
          <Empty>
            No subscription of yours is about this object, or none of its changes is kept. Only changes that were made
            after a subscription can notify it.
          </Empty>
        ) : (
          <ol class="answers">
            {decisions.map((decision) => (
              <Answer
                key={`${decision.event} ${decision.subscription} ${decision.subscribedObjectKey}`}
                {...{ decision }}
              />
            ))}
          </ol>
        )
      }
    </Loading>
  );
}
