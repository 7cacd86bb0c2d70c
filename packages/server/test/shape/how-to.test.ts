// Runs the commands of docs/how-to/scripts.md and stylesheets.md, and expects the responses that the pages show.

import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'flaghoist-how-to-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pages = ['scripts', 'stylesheets'].map((name) => ({
  name,
  text: readFileSync(new URL(`../../../../docs/how-to/${name}.md`, import.meta.url), 'utf8'),
}));

const modelFile = join(folder, 'model.json');
writeFileSync(modelFile, /```json model\n(.*?)```/s.exec(pages[0]!.text)![1]!);
const service = useTestService({ FLAGHOIST_MODEL_FILE: modelFile });

/** What a new installation contains. */
beforeAll(async () => {
  await create(service, 'Port', { unLoCode: 'NLRTM', portName: 'Rotterdam' });
  await create(service, 'Port', { unLoCode: 'SGSIN', portName: 'Singapore' });
  await create(service, 'Currency', { currencyCode: 'USD', currencyName: 'US Dollar' });
  await create(service, 'Commodity', { commodityCode: 'WHEAT', commodityName: 'Wheat' });
  await create(service, 'BusinessPartner', { businessPartnerCode: 'NORGRAIN', businessPartnerName: 'Nordic Grain' });
});

/** A command, and its response if the page shows one. */
function commandsIn(text: string): { command: string; shown: string | undefined }[] {
  return [...text.matchAll(/```sh\n(.*?)```\n(?:\n```(?:json|text|xml)\n(.*?)```\n)?/gs)].map(([, command, shown]) => ({
    command: command!,
    shown,
  }));
}

/** A block under a file name is that file. */
function writeFiles(text: string): void {
  for (const [, name, content] of text.matchAll(/`([\w-]+\.(?:js|xsl))`:\n\n```\w+\n(.*?)```/gs))
    writeFileSync(join(folder, name!), content!);
}

async function answersTo(commands: readonly string[]): Promise<string[]> {
  const mark = '--- the next command ---';
  const script = `set -e\nTOKEN=${service.token()}\n${commands.join(`\necho '${mark}'\n`)}`;
  const typed = script.replaceAll('http://127.0.0.1:8080', service.url());
  const { stdout } = await promisify(execFile)('bash', ['-c', typed], { cwd: folder });
  return stdout.split(`${mark}\n`);
}

const hasTools = ['bash', 'curl', 'jq', 'base64'].every((tool) => {
  try {
    return execFileSync('sh', ['-c', `command -v ${tool}`]).length > 0;
  } catch {
    return false;
  }
});

describe.skipIf(!hasTools).each(pages)('$name', ({ text }) => {
  test('every command returns what the page shows', async () => {
    writeFiles(text);
    const commands = commandsIn(text);
    const answers = await answersTo(commands.map(({ command }) => command));
    const shown = commands.map((each) => each.shown);
    expect(shown.filter((each) => each !== undefined).length).toBeGreaterThan(3);
    expect(answers.map((answer, n) => (shown[n] === undefined ? undefined : answer.trimEnd()))).toEqual(
      shown.map((each) => each?.trimEnd()),
    );
  });
});
