// Parses the URL of the egress proxy. Error messages repeat no part of the URL, because it may contain a password.

import { parseUrl } from '../parse-url.ts';
import type { Parse } from './parse-setting.ts';

export interface ProxyServer {
  readonly host: string;
  readonly port: number;
  readonly login: { readonly user: string; readonly password: string } | undefined;
}

export const parseProxyUrl: Parse<ProxyServer> = (text) => {
  const url = /^http:\/\/[\x21-\x7e]+$/i.test(text) ? parseUrl(text) : undefined;
  if (!url || url.hostname === '')
    throw new Error(
      'must be a URL like http://proxy.example:3128 or http://user:password@proxy.example:3128; special characters ' +
        'in user and password are percent-encoded, such as %40 for @',
    );
  if (url.port === '0') throw new Error('cannot have port 0');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new Error('cannot have a path, a query or a fragment');
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? 80 : Number(url.port),
    login: readLogin(url),
  };
};

function readLogin({ username, password }: URL): ProxyServer['login'] {
  if (username === '' && password === '') return undefined;
  const [user, secret] = [decode(username), decode(password)];
  if (user.includes(':')) throw new Error('cannot have a user with a colon: HTTP Basic ends the name there');
  return { user, password: secret };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('has an invalid percent escape in user or password; % itself is written as %25');
  }
}
