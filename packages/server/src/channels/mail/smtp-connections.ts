// The connections to the mail server: few, kept for a while, and replaced after a number of mails. The deadline of a
// mail covers every step: a server that sends a byte now and then would never hit a socket timeout.

import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SmtpServer } from '../../config/smtp-url.ts';
import type { ComposedMessage } from './compose-message.ts';

/** The deadline of a mail has passed, or the service is stopping. */
export class SendingEnded extends Error {}

const connectionsMax = 4;

/** A common limit: some servers close a connection after a hundred mails. */
const messagesMax = 100;

const idleMs = 10_000;

/** Longer than any deadline. It applies only to connections that nothing is waiting for. */
const socketTimeoutMs = 120_000;

interface Kept {
  readonly connection: SMTPConnection;
  sent: number;
  idleTimer: NodeJS.Timeout | undefined;
}

interface Waiting {
  resolve(): void;
  reject(error: Error): void;
}

export class SmtpConnections {
  readonly #server: SmtpServer;
  #idle: Kept[] = [];
  #sending = 0;
  #waiting: Waiting[] = [];
  #isClosed = false;
  #emptied: (() => void) | undefined;

  constructor(server: SmtpServer) {
    this.#server = server;
  }

  /** Returns the response of the server. Throws if the server rejects the mail or cannot be used. */
  async send(message: ComposedMessage, deadline: AbortSignal): Promise<string> {
    await this.#enter(deadline);
    try {
      const kept = this.#idle.pop();
      return await this.#sendOver(kept ?? (await this.#open(deadline)), message, deadline).catch(async (error) => {
        // The server may have just closed a connection that was idle, for reasons unrelated to this mail.
        if (!kept || !isEndOfConnection(error) || deadline.aborted) throw error;
        return this.#sendOver(await this.#open(deadline), message, deadline);
      });
    } finally {
      this.#leave();
    }
  }

  /** Lets mails in progress finish within their deadlines. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(stopping());
    for (const kept of this.#idle) this.#end(kept);
    if (this.#sending > 0)
      await new Promise<void>((resolve) => {
        this.#emptied = resolve;
      });
  }

  async #open(deadline: AbortSignal): Promise<Kept> {
    const kept: Kept = { connection: await openConnection(this.#server, deadline), sent: 0, idleTimer: undefined };
    kept.connection.once('end', () => this.#end(kept));
    return kept;
  }

  async #sendOver(kept: Kept, message: ComposedMessage, deadline: AbortSignal): Promise<string> {
    clearTimeout(kept.idleTimer);
    try {
      const response = await sendMessage(kept.connection, message, deadline);
      kept.sent += 1;
      if (this.#isClosed || kept.sent >= messagesMax || kept.connection.destroyed) this.#end(kept);
      else this.#keep(kept);
      return response;
    } catch (error) {
      // Also after a rejection: the SMTP transaction is still open, and rejections are rare.
      this.#end(kept);
      throw error;
    }
  }

  #keep(kept: Kept): void {
    kept.idleTimer = setTimeout(() => this.#end(kept), idleMs).unref();
    this.#idle.push(kept);
  }

  /** Sends QUIT and does not wait for the response. */
  #end(kept: Kept): void {
    clearTimeout(kept.idleTimer);
    this.#idle = this.#idle.filter((other) => other !== kept);
    if (!kept.connection.destroyed) kept.connection.quit();
    kept.connection.close();
  }

  /** Waits while as many mails are being sent as there may be connections. */
  #enter(deadline: AbortSignal): Promise<void> {
    if (this.#isClosed) return Promise.reject(stopping());
    if (this.#sending < connectionsMax) {
      this.#sending += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const waiting = { resolve, reject };
      this.#waiting.push(waiting);
      deadline.addEventListener('abort', () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(tooLate());
      });
    });
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next.resolve();
    else this.#sending -= 1;
    if (this.#sending === 0) this.#emptied?.();
  }
}

const tooLate = () => new SendingEnded('not sent within the time limit');
const stopping = () => new SendingEnded('the service is stopping');

function openConnection(server: SmtpServer, deadline: AbortSignal): Promise<SMTPConnection> {
  return new Promise((resolve, reject) => {
    const connection = new SMTPConnection(connectionOptions(server));
    const fail = (error: Error) => {
      reject(error);
      connection.close();
    };
    closeAtDeadline(connection, deadline, reject);
    connection.on('error', reject);
    connection.once('end', () => reject(new Error('Connection closed unexpectedly')));
    connection.connect((error) => {
      if (error) return reject(error);
      if (!server.login) return resolve(connection);
      if (!connection.allowsAuth)
        return fail(new Error('FLAGHOIST_SMTP_URL has a user, but the server offers no login'));
      const { user, password } = server.login;
      connection.login({ user, pass: password }, (refusal) => (refusal ? fail(refusal) : resolve(connection)));
    });
  });
}

function sendMessage(connection: SMTPConnection, message: ComposedMessage, deadline: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    closeAtDeadline(connection, deadline, reject);
    const envelope = { from: message.from, to: [message.to], size: message.bytes.length };
    connection.send(envelope, message.bytes, (error, info) => (error ? reject(error) : resolve(info.response)));
  });
}

function closeAtDeadline(connection: SMTPConnection, deadline: AbortSignal, reject: (error: Error) => void): void {
  const close = () => {
    reject(tooLate());
    connection.close();
  };
  if (deadline.aborted) close();
  else deadline.addEventListener('abort', close);
}

function connectionOptions({ host, port, isSecure, requireTls, ignoreTls, name, tls }: SmtpServer) {
  return {
    host,
    port,
    secure: isSecure,
    requireTLS: requireTls,
    ignoreTLS: ignoreTls,
    tls: { minVersion: 'TLSv1.2' as const, ...tls },
    allowInternalNetworkInterfaces: true,
    socketTimeout: socketTimeoutMs,
    maxResponseSize: 65_536,
    name,
  };
}

function isEndOfConnection(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return responseCode === 421 || code === 'ECONNECTION' || code === 'ESOCKET' || code === 'ETIMEDOUT';
}
