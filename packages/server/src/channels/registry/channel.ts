// What a channel has to provide: how it checks addresses, names receivers, and sends messages.

import type { AuthType } from '../../channel-types.ts';
import type { Clock } from '../../clock.ts';
import type { Settings } from '../../config/settings-table.ts';
import type { Attributes } from '../../observe/traces/tracing.ts';
import type { Mail, MailChannel } from '../mail/mail.ts';
import type { ReceiverAuth } from '../receiver-auth.ts';
import type { SendResult } from '../send-result.ts';

export interface Channel {
  checkAddresses(settings: Settings): AddressCheck;
  /** Returns why the channel cannot use this authorization; undefined if it can. */
  checkAuthorization(authorization: Authorization): string | undefined;
  /** A short name for the receiver at this address, for the subject of a mail. */
  nameReceiver(address: string): string;
  readonly spans: ChannelSpans;
  open(parts: ChannelParts): OpenChannel;
}

/** What traces say of an attempt, with the names of OpenTelemetry: never a URL or a header, which may have secrets. */
export interface ChannelSpans {
  attributesOf(address: string, attempt: number): Attributes;
  /** The attribute for the status code of the response. */
  readonly statusName: string;
}

/** What a subscription has, after a change. Each type of `auth` is one that the channel can carry. */
export interface Authorization {
  readonly url: string;
  /** Of `auth`; undefined if there is none. */
  readonly authType: AuthType | undefined;
  /** Whether there is a user or a password. */
  readonly hasPassword: boolean;
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
  /** Of the object that has changed. A test message has those of the first event type, and the key 0. */
  readonly objectType: string;
  readonly operation: string;
  readonly objectKey: number;
  /** The number of the event; 0 for a test message. */
  readonly sequence: number;
  /** 1 for the first attempt since the notification was created or last resent. */
  readonly attempt: number;
  /** The key of the job that replays the notification. */
  readonly replay: number | undefined;
  /** The span of the attempt, as `traceparent` of W3C Trace Context. Not set if the message is not traced. */
  readonly traceParent?: string;
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
  /** The value of `Authorization`; undefined if there is no user and password. */
  readonly authorization: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly auth: ReceiverAuth | undefined;
  /** Names and values, alternating: those that the subscriber has added. */
  readonly headers: readonly string[];
  /** With placeholders; undefined if the channel has no subjects. */
  readonly subject: string | undefined;
  readonly secret: Buffer | undefined;
  /** Also signs until `untilMs`. */
  readonly previous: { readonly secret: Buffer; readonly untilMs: number } | undefined;
}
