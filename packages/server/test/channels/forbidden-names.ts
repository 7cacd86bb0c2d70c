// Names in `ssrf-urls.json`, with the addresses that real name servers, or those of a company, answer.

export const forbiddenAddresses: Readonly<Record<string, string>> = {
  'ip6-loopback': '::1',
  '127.0.0.1.nip.io': '127.0.0.1',
  'localtest.me': '127.0.0.1',
  'router.home.arpa': '192.168.1.1',
  'kubernetes.default.svc': '10.96.0.1',
  intranet: '10.0.0.9',
};
