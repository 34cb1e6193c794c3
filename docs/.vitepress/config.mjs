/**
 * The site: the pages of `docs` as they are, with a search that needs no server. The sidebar is read from the tables of
 * contents (`README.md`, `reference/index.md`), so that a page that is named there is in it.
 *
 * Built by `npm run site`, which adds the Markdown of each page, the documents for machines and the playground.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { REPOSITORY, sourceLink } from './sourceLink.mjs';

const DOCS = new URL('..', import.meta.url);
const textOf = (path) => readFileSync(fileURLToPath(new URL(path, DOCS)), 'utf8');
const { description, version } = JSON.parse(textOf('../package.json'));
const BASE = process.env.CVKIT_SITE_BASE ?? '/cvkit/';

export default defineConfig({
  title: 'cvkit',
  description,
  lang: 'en',
  base: BASE,
  cleanUrls: true,
  lastUpdated: false,
  metaChunk: true,
  outDir: process.env.CVKIT_SITE_OUT ?? '../site',
  cacheDir: '../node_modules/.cache/vitepress',
  rewrites: { 'README.md': 'contents.md' },
  // The playground is built beside the pages, and files for machines are copied.
  ignoreDeadLinks: [/^\/playground\//, /\.(txt|json)$/],
  markdown: {
    config: linkElsewhere,
    image: { lazyLoading: true },
    // Those of the default theme have too little contrast.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${BASE}icon.svg` }],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
  ],
  // The index of the search is one file, loaded when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    siteTitle: 'cvkit',
    nav: [
      { text: 'Get started', link: '/getting-started' },
      { text: 'Guides', link: '/contents' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Playground', link: '/playground/', target: '_self' },
      { text: version, items: [{ text: 'Changes', link: `${REPOSITORY}/blob/main/CHANGELOG.md` }] },
    ],
    sidebar: {
      ...referenceSidebars(groupsOf('reference/index.md', /^## (.+)$/)),
      '/': groupsOf('README.md', /^\*\*(.+)\*\*$/),
    },
    outline: [2, 3],
    search: {
      provider: 'local',
      options: { detailedView: false, miniSearch: { searchOptions: { boostDocument: weightOf } } },
    },
    notFound: {
      title: 'Page not found',
      quote: 'The address may be wrong, or the page has moved. The search above knows every page.',
      ...{ linkText: 'To the first page', linkLabel: 'To the first page' },
    },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path` },
    footer: {
      message: 'MIT licence. cvkit computes numbers; whether a study meets a regulation is for its authors to judge.',
    },
  },
});

/** Studies and lists name much that others explain. Stands in the page as text, so that it knows nothing outside itself. */
function weightOf(id) {
  return /\/(coverage|leakage-(benchmark|peers|inflation)|reference\/(index\.html|)|contents)(#|$)/.test(id) ? 0.3 : 1;
}

/** A page of the reference shows the pages of its folder: all of them on each page would be most of the site. */
function referenceSidebars(groups) {
  const folderOf = ({ items }) => items[0].link.slice(0, items[0].link.lastIndexOf('/') + 1);
  const top = { text: 'Reference', link: '/reference/' };
  const kinds = groups.map((group) => ({ text: group.text, link: group.items[0].link }));
  return {
    ...Object.fromEntries(groups.map((group) => [folderOf(group), [top, group]])),
    '/reference/': [{ ...top, items: kinds }],
  };
}

/** Groups of the sidebar: headings, and the pages that their lists link to first. */
function groupsOf(page, heading) {
  const folder = page.includes('/') ? `/${page.slice(0, page.lastIndexOf('/') + 1)}` : '/';
  const groups = [];
  for (const line of textOf(page).split('\n')) {
    const title = heading.exec(line)?.[1];
    if (title) groups.push({ text: title, items: [] });
    const [, text, file] = /^- \[(.+?)\]\(([\w./-]+)\.md\)/.exec(line) ?? [];
    if (file) groups.at(-1)?.items.push({ text: text.replaceAll('`', ''), link: `${folder}${file}` });
  }
  return groups.filter(({ items }) => items.length > 0);
}

/** Links to files outside `docs`, which are no pages of the site, lead to the repository; README.md has another name here. */
function linkElsewhere(md) {
  md.core.ruler.push('elsewhere', ({ tokens, env }) => {
    // Titles are rendered without a page.
    if (!env.relativePath) return;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type !== 'link_open') continue;
      const href = token.attrGet('href');
      token.attrSet(
        'href',
        sourceLink(href, env.relativePath) ?? href.replace(/^((?:\.\.\/)*)README\.md/, '$1contents.md'),
      );
    }
  });
}
