// What is used of the npm package `simple-oauth2`, which comes without types.

declare module 'simple-oauth2' {
  export interface ClientCredentialsOptions {
    client: { id: string; secret: string };
    auth: { tokenHost: string; tokenPath?: string };
    options?: { authorizationMethod?: 'header' | 'body'; bodyFormat?: 'form' | 'json' };
  }

  export class ClientCredentials {
    constructor(options: ClientCredentialsOptions);
    getToken(parameters: Record<string, string>): Promise<AccessToken>;
  }

  interface AccessToken {
    token: Record<string, unknown>;
    expired(): boolean;
  }
}
