/** What a release and a visitor meet: workflows, forms, citation, changelog. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { releaseNotes } from '../../scripts/checkRelease.mjs';
import { packageJson } from './dist.js';
import { ROOT } from './program.js';

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const yamlOf = (path: string) => parse(textOf(path));
const { version, engines, license, repository } = packageJson();

describe('a release', () => {
  const facts = {
    version: '0.2.0',
    changelog: '# Changelog\n\n## 0.2.0, 2027-01-31\n\n- `a`: b.\n\n## 0.1.0, 2026-12-24\n\n- Old.\n',
    citation: 'title: cvkit\nversion: 0.2.0\n',
  };

  it('has the notes of its version', () => {
    expect(releaseNotes('v0.2.0', facts)).toBe('- `a`: b.');
  });

  it.each<[string, string, Partial<typeof facts>]>([
    ['the tag is another version', 'v0.2.1', {}],
    ['the tag is none', '0.2.0', {}],
    ['the changelog has no such version', 'v0.3.0', { version: '0.3.0', citation: 'version: 0.3.0' }],
    ['the version has no day', 'v0.2.0', { changelog: '## 0.2.0, unreleased\n\n- a\n\n## 0.1.0, 2026-12-24\n' }],
    ['the day is none', 'v0.2.0', { changelog: '## 0.2.0, 2027-13-01\n\n- a\n' }],
    ['nothing is written of it', 'v0.2.0', { changelog: '## 0.2.0, 2027-01-31\n\n## 0.1.0, 2026-12-24\n\n- a\n' }],
    ['a longer number begins alike', 'v0.2.0', { changelog: '## 0.2.01, 2027-01-31\n\n- a\n' }],
    ['the citation is of another version', 'v0.2.0', { citation: 'version: 0.1.0\n' }],
  ])('is refused where %s', (_what, tag, change) => {
    expect(() => releaseNotes(tag, { ...facts, ...change })).toThrow(/ must /);
  });
});

describe('CHANGELOG.md', () => {
  const parts = textOf('CHANGELOG.md').split(/^(?=## )/m);

  it('begins with the version of package.json', () => {
    expect(parts[1]).toMatch(new RegExp(`^## ${version.replaceAll('.', '\\.')}, (unreleased|\\d{4}-\\d\\d-\\d\\d)\\n`));
  });

  it('tells of 0.1.0 in a text that people read, each point with its page', () => {
    const first = parts.find((part) => part.startsWith('## 0.1.0,')) ?? '';
    expect(Buffer.byteLength(first)).toBeLessThanOrEqual(8192);
    const points = first.split('\n').filter((line) => line.startsWith('- '));
    expect(points.length).toBeGreaterThan(20);
    expect(points.filter((line) => !/\]\([\w/.-]+\)/.test(line))).toEqual([]);
  });
});

describe('workflows', () => {
  const names = readdirSync(join(ROOT, '.github/workflows'));
  interface Job {
    readonly needs?: string;
    readonly permissions?: Record<string, string>;
    readonly strategy?: { readonly matrix: { readonly node: number[] } };
    readonly steps: { readonly uses?: string; readonly run?: string }[];
  }
  const jobsOf = (name: string) => yamlOf(`.github/workflows/${name}`).jobs as Record<string, Job>;
  const commandsOf = ({ steps }: Job) => steps.flatMap(({ run }) => run?.split('\n') ?? []).map((line) => line.trim());

  it.each(names)('%s takes actions by their major version', (name) => {
    const used = Object.values(jobsOf(name)).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((each) => !/^actions\/[\w-]+@v\d+$/.test(each))).toEqual([]);
  });

  it('publish.yml tests and checks the tag first, and stages without a token', () => {
    const { on, jobs, permissions } = yamlOf('.github/workflows/publish.yml');
    expect(on).toEqual({ push: { tags: ['v*'] } });
    expect(permissions).toEqual({ contents: 'read' });
    const [tests, publish, release] = [jobs.test, jobs.publish, jobs.release].map(commandsOf);
    const at = (start: string) => tests.findIndex((line) => line.startsWith(start));
    const order = [
      'node scripts/checkRelease.mjs "$GITHUB_REF_NAME"',
      '.ci/run',
      'npm audit',
      'npm pack',
      'npm sbom',
    ].map(at);
    expect(order[0]).toBe(0);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect([jobs.publish.needs, jobs.release.needs]).toEqual(['test', 'publish']);
    expect([jobs.publish.permissions, jobs.release.permissions]).toEqual([
      { 'id-token': 'write' },
      { contents: 'write' },
    ]);
    expect(publish.at(-1)).toMatch(/^npm stage publish \.\/cvkit-\*\.tgz --provenance /);
    expect(release.at(-1)).toContain('cvkit-sbom.cdx.json');
    expect(textOf('.github/workflows/publish.yml')).not.toMatch(/NODE_AUTH_TOKEN|NPM_TOKEN|secrets\./);
  });

  it.each(names)('%s runs no code of the repository or of its dependencies in a job with rights', (name) => {
    const withRights = Object.values(jobsOf(name)).filter(({ permissions = {} }) =>
      Object.values(permissions).includes('write'),
    );
    const used = withRights.flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
    expect(used.filter((each) => each.includes('checkout'))).toEqual([]);
    expect(
      withRights.flatMap(commandsOf).filter((line) => /^npm (ci|run|install(?! --global npm@))|^node /.test(line)),
    ).toEqual([]);
  });

  it('node.yml tries the package on every version of Node from that of package.json on', () => {
    const { matrix } = jobsOf('node.yml').installed.strategy ?? {};
    expect(matrix?.node).toEqual([20, 22, 24, 26]);
    expect(engines.node).toBe(`>=${matrix?.node[0]}.19`);
    expect(commandsOf(jobsOf('node.yml').installed).at(-1)).toContain('test/journeys/installed.test.ts');
  });
});

describe('forms for issues', () => {
  const folder = '.github/ISSUE_TEMPLATE';
  const forms = readdirSync(join(ROOT, folder)).filter((name) => name !== 'config.yml');
  interface Field {
    readonly type: string;
    readonly id?: string;
    readonly attributes: {
      readonly label?: string;
      readonly value?: string;
      readonly options?: { label: string; required?: boolean }[];
    };
  }

  it('are four', () => {
    expect(forms.sort()).toEqual(['bug.yml', 'question.yml', 'wish.yml', 'wrong-number.yml']);
  });

  it.each(forms)('%s is one that GitHub takes', (name) => {
    const {
      name: title,
      description,
      body,
    } = yamlOf(`${folder}/${name}`) as { name: string; description: string; body: Field[] };
    expect([title, description].every((each) => each.length > 2)).toBe(true);
    const fields = body.filter(({ type }) => type !== 'markdown');
    expect(fields.length).toBeGreaterThan(0);
    expect(fields.filter(({ type }) => !['textarea', 'input', 'checkboxes', 'dropdown'].includes(type))).toEqual([]);
    const ids = fields.map(({ id }) => id);
    expect(ids.every((id) => /^[\w-]+$/.test(id ?? ''))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect(fields.every(({ attributes }) => attributes.label)).toBe(true);
  });

  it.each(['bug.yml', 'wrong-number.yml'])(
    '%s asks never to paste data of patients, and for a word that none are in it',
    (name) => {
      const { body } = yamlOf(`${folder}/${name}`) as { body: Field[] };
      expect(body[0].attributes.value).toContain('Never paste data of patients');
      const boxes = body.find(({ type }) => type === 'checkboxes')?.attributes.options ?? [];
      expect(boxes).toEqual([{ label: 'Nothing in this report comes from patients.', required: true }]);
    },
  );
});

describe('CITATION.cff', () => {
  // Validated once by the schema of CFF 1.2.0; here, what may go stale.
  it('has what the schema demands, and the facts of package.json', () => {
    const citation = yamlOf('CITATION.cff');
    expect(Object.keys(citation)).toEqual(expect.arrayContaining(['authors', 'cff-version', 'message', 'title']));
    expect(citation).toMatchObject({ 'cff-version': '1.2.0', title: 'cvkit', type: 'software', version, license });
    expect(citation.authors).toEqual([{ name: 'The cvkit authors' }]);
    expect(`git+${citation['repository-code']}.git`).toBe(repository.url);
  });
});
