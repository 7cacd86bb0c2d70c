// The introduction of the API description, and the guide in Markdown.

import { versionTable } from '../../model/api-versions.ts';
import { type DescriptionContext, pageLink } from '../openapi/description-context.ts';
import type { Block } from './guide-block.ts';
import { guideSections } from './guide-sections.ts';

/** Short, because generators copy it into every file that they write. */
export function introduce({ apiVersion, baseUrl }: DescriptionContext): string {
  const page = pageOf(apiVersion, baseUrl);
  return (
    'Shipping business objects over REST, and webhooks that never miss a change. This document describes API version ' +
    `${apiVersion}${versionRange(apiVersion)}. The guide is the description of the tag Guide, and part of the readable ` +
    `page at [${page}](${page}).`
  );
}

/** A tag that no operation has: a place for text, which readers of the document show (`x-traitTag`). */
export function guideTag(context: DescriptionContext) {
  const { apiVersion, baseUrl } = context;
  const page = pageOf(apiVersion, baseUrl);
  const withWholeLinks = (text: string) =>
    text.replaceAll('](#', `](${page}#`).replaceAll(/\]\((?!http)/g, `](${baseUrl}/`);
  const sections = guideSections(context).flatMap(({ title, blocks }) => [
    `## ${title}`,
    ...blocks.map((block) => renderBlock(block, withWholeLinks)),
  ]);
  return { name: 'Guide', description: sections.join('\n\n'), 'x-traitTag': true };
}

function pageOf(apiVersion: string, baseUrl: string): string {
  return `${baseUrl}/${pageLink(apiVersion)}`;
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
