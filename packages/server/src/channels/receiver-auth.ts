// How the service authenticates itself to a receiver, besides user and password.

export interface OAuth2 {
  readonly type: 'OAUTH2';
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string;
  readonly audience?: string;
}

/** Both as PEM. */
export interface MutualTls {
  readonly type: 'MTLS';
  readonly certificate: string;
  readonly privateKey: string;
}

/** How the service authenticates itself, besides user and password. */
export type ReceiverAuth = OAuth2 | MutualTls | Credentials;

/** One entry for each type: a new one is asked for by the compiler. */
export type ByAuthType<R> = {
  readonly [Type in ReceiverAuth['type']]: (auth: Extract<ReceiverAuth, { type: Type }>) => R;
};

export function forAuth<R>(auth: ReceiverAuth, table: ByAuthType<R>): R {
  return (table[auth.type] as (auth: ReceiverAuth) => R)(auth);
}

/** The text of a `.creds` file of NATS. */
export interface Credentials {
  readonly type: 'CREDENTIALS';
  readonly credentials: string;
}
