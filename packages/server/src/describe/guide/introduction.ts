// The introduction of the API description: the guide in Markdown.

import { versionTable } from '../../model/api-versions.ts';
import { type DescriptionContext, pageLink } from '../openapi/description-context.ts';
import type { Block } from './guide-block.ts';
import { guideSections } from './guide-sections.ts';

export function introduce(context: DescriptionContext): string {
  const { apiVersion, baseUrl } = context;
  const page = `${baseUrl}/${pageLink(apiVersion)}`;
  const withWholeLinks = (text: string) =>
    text.replaceAll('](#', `](${page}#`).replaceAll(/\]\((?!http)/g, `](${baseUrl}/`);
  const sections = guideSections(context).flatMap(({ title, blocks }) => [
    `## ${title}`,
    ...blocks.map((block) => renderBlock(block, withWholeLinks)),
  ]);
  return [
    'Shipping business objects over REST, and webhooks that never miss a change. This document describes API version ' +
      `${apiVersion}${versionRange(apiVersion)}. A readable page is at [${page}](${page}).`,
    ...sections,
  ].join('\n\n');
}

/** A row of the version table describes every version before the next row. */
function versionRange(apiVersion: string): string {
  const next = versionTable[versionTable.findIndex(({ version }) => version === apiVersion) + 1];
  return next ? `, and every later version before ${next.version}` : ', the newest';
}

function renderBlock(block: Block, withWholeLinks: (text: string) => string): string {
  if (typeof block === 'string') return withWholeLinks(block);
  if ('code' in block) return `\`\`\`${block.language}\n${block.code}\n\`\`\``;
  const rows = [block.head, block.head.map(() => '---'), ...block.rows];
  return withWholeLinks(rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n'));
}
