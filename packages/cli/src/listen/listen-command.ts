// `flaghoist listen`: opens a subscription, shows and forwards its notifications as they come, and ends it on exit.

import { setTimeout as sleep } from 'node:timers/promises';
import { FlaghoistError, type Notification } from '@flaghoist/sdk';
import { CommandError } from '../command/command-error.ts';
import { type Connection, connect } from '../connection/connect.ts';
import { paintFor } from '../terminal/colours.ts';
import { type Attempt, Forwarder } from './forwarder.ts';
import { readKeys } from './keys.ts';
import { type ListenOptions, type ListenRequest, readListenOptions } from './listen-options.ts';
import { endLeftOvers, type ListeningSubscription, openSubscription } from './listening-subscription.ts';
import { messageOf } from './message.ts';
import { pastMessages } from './past-events.ts';
import { renderJson, textRenderer } from './render-attempt.ts';
import { renewEveryMs, temporaryName } from './temporary-name.ts';

export async function listen(options: ListenOptions): Promise<void> {
  const request = readListenOptions(options);
  const connection = await connect(options);
  const leftOvers = await endLeftOvers(connection);
  if (leftOvers.length > 0) say(`Unsubscribed what an earlier listen has left: ${leftOvers.join(', ')}.`);
  const subscription = await openSubscription(connection, request.subscription);
  await new Listener(connection, subscription, request, options).run();
}

/** Standard output has the notifications; everything else goes to standard error. */
function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

class Listener {
  readonly #connection: Connection;
  readonly #subscription: ListeningSubscription;
  readonly #request: ListenRequest;
  readonly #options: ListenOptions;
  readonly #stop = new AbortController();
  readonly #forwarder: Forwarder;
  readonly #render: (attempt: Attempt, time: Date) => string;
  #count = 0;
  #lostAt: number | undefined;
  #isUnauthorizedSaid = false;
  /** Whether it was stopped before all of the past was forwarded, which the service does not keep. */
  #isInPast = false;

  constructor(
    connection: Connection,
    subscription: ListeningSubscription,
    request: ListenRequest,
    options: ListenOptions,
  ) {
    this.#connection = connection;
    this.#subscription = subscription;
    this.#request = request;
    this.#options = options;
    const { target, retries, isJson } = request;
    this.#render = isJson
      ? renderJson
      : textRenderer({
          paint: paintFor(process.stdout),
          showsBody: options.body ?? false,
          eventTypes: subscription.eventTypes,
        });
    this.#forwarder = new Forwarder({
      target,
      retries,
      secret: subscription.secret,
      signal: this.#stop.signal,
      onAttempt: (attempt) => {
        process.stdout.write(this.#render(attempt, new Date()));
        if (attempt.outcome?.status === 401) this.#explainUnauthorized();
      },
    });
  }

  async run(): Promise<void> {
    const release = this.#stopOnSignals();
    const renewal = setInterval(() => void this.#renew(), renewEveryMs);
    try {
      this.#sayStart();
      await this.#replayPast();
      if (!this.#stop.signal.aborted) await this.#consume();
    } catch (error) {
      if (!this.#stop.signal.aborted) throw this.#explain(error);
    } finally {
      clearInterval(renewal);
      await this.#end();
      release();
    }
  }

  #sayStart(): void {
    const { key, eventTypes, isResumed, secret } = this.#subscription;
    const { target, isJson, subscription } = this.#request;
    const where = target ? `, forwarding to ${target.url}` : '';
    const kind = subscription.name === undefined ? 'temporary subscription' : `"${subscription.name}",`;
    const how = isResumed ? ', with what came in the meantime' : '';
    say(`Listening to ${eventTypes.join(', ')} (${kind} ${key})${how}${where}.`);
    const isShown = this.#options.showSecret ?? (!isJson && target !== undefined);
    if (isShown && secret !== undefined && subscription.signingSecret === undefined)
      say(`Signing secret, for a receiver that verifies signatures: ${secret}`);
    if (isShown && secret === undefined)
      say('The signing secret was shown when the subscription was created. Pass --secret to set another one.');
    if (this.#hasKeys()) say(target ? 'Keys: r resend the last one, s skip a retry, q quit.' : 'Keys: q quit.');
  }

  async #replayPast(): Promise<void> {
    const { key, isResumed, createdDate } = this.#subscription;
    const { since } = this.#request;
    if (since === undefined) return;
    // An earlier listen may have been interrupted before it had forwarded all of this.
    if (!isResumed || since <= createdDate) await this.#forwardPast(since);
    if (!isResumed || this.#stop.signal.aborted) return;
    const replay = { key, from: since, status: 'DELIVERED' as const };
    const { total } = await this.#connection.client.call('WebhookSubscription', 'replay', replay);
    say(`Replaying ${total} delivered notifications since ${since} UTC.`);
  }

  /** From before the subscription. */
  async #forwardPast(since: string): Promise<void> {
    const { key, secret } = this.#subscription;
    const { client } = this.#connection;
    const onIncomplete = (oldest: string) =>
      say(`The service lists events since ${oldest} UTC only; older ones are left out.`);
    let count = 0;
    this.#isInPast = true;
    for await (const message of pastMessages(client, { key, since, secret, onIncomplete })) {
      if (count === 0 && secret === undefined && this.#request.target)
        say('What happened before the subscription is not signed, because its secret is not known. Pass --secret.');
      await this.#forwarder.forward(message);
      count += 1;
      if (this.#countOne()) return;
    }
    this.#isInPast = false;
    say(`${count} from before the subscription, since ${since} UTC. New ones follow.`);
  }

  async #consume(): Promise<void> {
    const { client } = this.#connection;
    const forward = async (notification: Notification) => {
      await this.#forwarder.forward(messageOf(notification));
      this.#countOne();
    };
    await client.stream(this.#subscription.key, forward, {
      signal: this.#stop.signal,
      onConnected: () => this.#sayConnected(),
      onError: (error, notification) => {
        if (notification === undefined) this.#sayLost(error);
      },
    });
  }

  /** Once. A target that verifies signatures needs the secret of this subscription. */
  #explainUnauthorized(): void {
    if (this.#isUnauthorizedSaid) return;
    this.#isUnauthorizedSaid = true;
    say(
      'The target answers 401. If it verifies signatures: does it have the signing secret of this subscription? ' +
        '--show-secret shows it, and --secret sets the one that the target has.',
    );
  }

  /** Whether it was the last one. */
  #countOne(): boolean {
    this.#count += 1;
    const isLast = this.#count >= this.#request.count;
    if (isLast) this.#stop.abort();
    return isLast;
  }

  #sayLost(error: unknown): void {
    if (this.#lostAt !== undefined || this.#stop.signal.aborted) return;
    this.#lostAt = performance.now();
    say(`Connection lost: ${error instanceof Error ? error.message : String(error)} Reconnecting, nothing is lost.`);
  }

  #sayConnected(): void {
    if (this.#lostAt === undefined) return;
    const seconds = Math.round((performance.now() - this.#lostAt) / 1000);
    this.#lostAt = undefined;
    say(`Connected again after ${seconds} s.`);
  }

  #hasKeys(): boolean {
    return !this.#request.isJson && process.stdin.isTTY === true;
  }

  /** A second signal exits at once. Returns a function that ends this. */
  #stopOnSignals(): () => void {
    const stop = () => {
      if (this.#stop.signal.aborted) process.exit(1);
      this.#stop.abort();
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, stop);
    // Nobody reads what is printed any more.
    process.stdout.on('error', () => this.#stop.abort());
    const forwarder = this.#forwarder;
    const releaseKeys = this.#hasKeys()
      ? readKeys({
          onResend: () => void forwarder.resend().catch(() => undefined),
          onSkip: () => {
            const id = forwarder.skip();
            if (id !== undefined) say(`Skipped ${id}; the service counts it as delivered.`);
          },
          onQuit: stop,
        })
      : () => undefined;
    return () => {
      for (const signal of signals) process.off(signal, stop);
      releaseKeys();
    };
  }

  /** So that no other listen takes the subscription for a left over one. */
  async #renew(): Promise<void> {
    if (this.#request.subscription.name !== undefined) return;
    const changes = { name: temporaryName(new Date()) };
    await this.#connection.client.update('WebhookSubscription', this.#subscription.key, changes).catch(() => undefined);
  }

  /** Tries for a few seconds: what remains, the next listen unsubscribes a day later. */
  async #end(): Promise<void> {
    const { key } = this.#subscription;
    const { name } = this.#request.subscription;
    if (name !== undefined) {
      const quoted = /^[\w.-]+$/.test(name) ? name : JSON.stringify(name);
      const past = this.#isInPast ? ` --since ${this.#request.since}` : '';
      say(`Stopped. Nothing is lost: continue with  flaghoist listen --name ${quoted}${past}`);
      return;
    }
    const { client } = this.#connection;
    const unsubscribing = client
      .update('WebhookSubscription', key, { unsubscribed: true }, { signal: AbortSignal.timeout(5_000) })
      .then(() => 'Unsubscribed.')
      .catch((error: unknown) => {
        if (error instanceof FlaghoistError && error.status === 409) return 'Unsubscribed.';
        return `The service is away: "flaghoist subscription unsubscribe ${key}" ends the subscription later.`;
      });
    say(await Promise.race([unsubscribing, sleep(6_000, 'The service does not answer.', { ref: false })]));
  }

  /** What ends a stream for good. */
  #explain(error: unknown): unknown {
    if (!(error instanceof FlaghoistError) || ![404, 409].includes(error.status)) return error;
    return new CommandError(`The subscription ${this.#subscription.key} has ended: ${error.message}`);
  }
}
