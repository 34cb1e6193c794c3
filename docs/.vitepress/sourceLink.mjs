import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { repository } = JSON.parse(readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'));
export const REPOSITORY = repository.url.replace(/^git\+|\.git$/g, '');

/** Where a link of a page of `docs` to a file outside `docs` leads: to the repository. Undefined for other links. */
export function sourceLink(href, page) {
  const up = /^(?:\.\.\/)+/.exec(href)?.[0] ?? '';
  const isOutside = up.length === '../'.length * page.split('/').length;
  return isOutside ? `${REPOSITORY}/blob/main/${href.slice(up.length)}` : undefined;
}
