// What a channel has to provide: how it checks addresses, names receivers, and sends messages.

import type { Clock } from '../../clock.ts';
import type { Settings } from '../../config/settings-table.ts';
import type { Mail, MailChannel } from '../mail/mail.ts';
import type { SendResult } from '../send-result.ts';

export interface Channel {
  checkAddresses(settings: Settings): AddressCheck;
  /** A short name for the receiver at this address, for the subject of a mail. */
  nameReceiver(address: string): string;
  open(parts: ChannelParts): OpenChannel;
}

/** Checks the address of a subscription when it is saved. */
export interface AddressCheck {
  /** Returns what is wrong with the text of the address; undefined if it is valid. */
  check(address: string): string | undefined;
  /**
   * For checks that ask other systems. They run before a transaction is opened, for every address that `check` accepts:
   * the channel of a subscription that is changed is not known yet. Returns address → what is wrong with it.
   */
  precheck?(addresses: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export interface ChannelParts {
  settings: Settings;
  /** The version of the service. */
  version: string;
  clock: Clock;
  /** Also sends the mail of the service itself, so it stays open longer than the channels. */
  mail: MailChannel;
}

export interface OpenChannel {
  /** `onEnd` is called once, after this method has returned. The channel judges what counts as a failure. */
  send(message: Message, receiver: Receiver, startedAt: Date, onEnd: (result: SendResult) => void): void;
  /**
   * Call before each notification. Returns how many milliseconds the subscription has to wait for its next one; 0 if it
   * may be sent now, which is then counted.
   */
  takeAllowance(subscriptionKey: number): number;
  /** So many connections are open that new ones will soon close idle connections of other receivers. */
  readonly isScarce: boolean;
  /** Messages in flight have `graceMs` to end. */
  close(graceMs: number): Promise<void>;
}

/** A notification, or a test message: as bytes for programs, and as a mail for people. */
export interface Message {
  readonly id: string;
  /** What the message is about: `PortCall.U.1042`, or `ping`. */
  readonly event: string;
  /** The number of the event; 0 for a test message. */
  readonly sequence: number;
  /** 1 for the first attempt since the notification was created or last resent. */
  readonly attempt: number;
  /** The key of the job that replays the notification. */
  readonly replay: number | undefined;
  readonly contentType: string;
  readonly body: Buffer;
  composeMail(receiver: Receiver): Mail;
}

/** The subscription that a message is for. A channel uses the credentials and secrets that it can carry. */
export interface Receiver {
  readonly key: number;
  /** For people; null if the owner gave it none. */
  readonly name: string | null;
  readonly url: string;
  /** Dotted, in the order of the subscriber: `BunkerOrder.U`, `*.D`. */
  readonly eventTypes: readonly string[];
  /** The value of `Authorization`; undefined if there are no credentials. */
  readonly authorization: string | undefined;
  readonly secret: Buffer | undefined;
  /** Also signs until `untilMs`. */
  readonly previous: { readonly secret: Buffer; readonly untilMs: number } | undefined;
}
