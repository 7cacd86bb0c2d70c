// The live feed of a page in the hands of the test: it sends what the test says, and nothing else.

import type { Page } from 'playwright-core';

export interface ScriptedFeed {
  send(event: string, data: unknown): Promise<void>;
  /** The page connects again. */
  lose(): Promise<void>;
}

/** From the next time on that the page is loaded. */
export async function scriptFeed(page: Page): Promise<ScriptedFeed> {
  await page.addInitScript(`(() => {
    const { fetch } = window;
    const encoder = new TextEncoder();
    const open = () => new Response(new ReadableStream({
      start(feed) {
        const send = (event, data) => feed.enqueue(encoder.encode('event: ' + event + '\\ndata: ' + data + '\\n\\n'));
        window.scriptedFeed = { send, lose: () => feed.close() };
        send('ready', '{}');
      },
    }));
    window.fetch = async (url, options) => (String(url).endsWith('/ws/rest/live') ? open() : fetch(url, options));
  })()`);
  return {
    send: (event, data) =>
      page.evaluate(`window.scriptedFeed.send('${event}', ${JSON.stringify(JSON.stringify(data))})`),
    lose: () => page.evaluate('window.scriptedFeed.lose()'),
  };
}
