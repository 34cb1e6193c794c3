import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { CHECKLIST_NAMES } from '../../src/core/knownNames.js';
import type { GuidelineEvidence } from '../../src/report/reportModel.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { evaluate } from '../../src/validator/evaluate.js';
import { evaluateOptions } from '../../src/validator/evaluateOptions.js';
import { GUIDELINES_OF } from '../../src/validator/evidenceOptions.js';
import type { ValidationResult } from '../../src/validator/validationResult.js';
import { type ValidatorOptions, validatorOptions } from '../../src/validator/validatorOptions.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';

const { X, y } = blobs(60);
const patientIds = y.map((_, i) => i >> 1);
const validate = (options: ValidatorOptions) =>
  new CVKitValidator({ nBootstrap: 100, ...options }).validate({
    ...{ model: () => new NearestMean(), X, y, patientIds, adapter: spyAdapter().adapter, verbose: 0 },
  });
const sections = ({ evidence }: ValidationResult) => evidence?.sections.map(({ checklist }) => checklist);
describe('compliance', () => {
  it.each([
    ['FDA', ['GMLP', 'FDA']],
    ['fda', ['GMLP', 'FDA']],
    ['CE', ['Annex IV', 'GMLP']],
    ['ce', ['Annex IV', 'GMLP']],
    ['Ce', ['Annex IV', 'GMLP']],
  ])('%s adds %j', async (compliance, expected) => {
    const result = await validate({ compliance: compliance as 'CE' });
    expect(sections(result)).toEqual(expected);
    expect(result.manifest).toMatchObject({ compliance: compliance.toUpperCase(), checklists: [] });
  });

  it('is null by default, and then there is no evidence', async () => {
    for (const options of [{}, { compliance: null }, { checklists: [] }]) {
      const result = await validate(options);
      expect(result.evidence).toBeNull();
      expect(result.toJSON().evidence).toBeNull();
      expect(result.manifest).toMatchObject({ compliance: null, checklists: [] });
      const outputs = [result.summary(), result.summary({ details: true }), result.toMarkdown(), await result.toHTML()];
      for (const output of outputs) expect(output).not.toMatch(/evidence/i);
    }
  });

  it('has types', () => {
    expectTypeOf<'FDA' | 'ce' | null>().toExtend<ValidatorOptions['compliance']>();
    expectTypeOf<'EMA'>().not.toExtend<ValidatorOptions['compliance']>();
    expectTypeOf<['CLAIM', 'tripod+ai']>().toExtend<ValidatorOptions['checklists']>();
    expectTypeOf<ValidationResult['evidence']>().toEqualTypeOf<GuidelineEvidence | null>();
  });
});

describe('checklists', () => {
  it('take names in any case, in their order, once beside those of compliance', async () => {
    const result = await validate({ compliance: 'FDA', checklists: ['claim', 'GMLP', 'annex iv'] });
    expect(sections(result)).toEqual(['GMLP', 'FDA', 'CLAIM', 'Annex IV']);
    expect(result.manifest).toMatchObject({ compliance: 'FDA', checklists: ['CLAIM', 'GMLP', 'Annex IV'] });
  });

  it('of evaluate add evidence, too', async () => {
    const result = await evaluate({ yTrue: y, yPred: y, checklists: ['claim'], nBootstrap: 100 });
    expect(sections(result)).toEqual(['CLAIM']);
    expect(result.toMarkdown()).toContain('## Evidence: CLAIM 2024');
    expect(result.manifest).toMatchObject({ compliance: null, checklists: ['CLAIM'] });
    await expect(evaluate({ yTrue: y, yPred: y, checklists: ['CLAM' as 'CLAIM'] })).rejects.toThrow(
      "Did you mean 'CLAIM'?",
    );
  });
});

describe('one table says which guidelines are behind `compliance`', () => {
  it('to the description of the option', () => {
    expect(validatorOptions.shape.compliance.description).toContain(
      "'FDA', checklists GMLP and FDA; 'CE', checklists Annex IV and GMLP. Needs the checks.",
    );
    expect(Object.entries(GUIDELINES_OF)).toEqual([
      ['FDA', ['GMLP', 'FDA']],
      ['CE', ['Annex IV', 'GMLP']],
    ]);
  });

  it('to the page', () => {
    const page = readFileSync(new URL('../../docs/evidence.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `'(.+?)'` \| .* \| *(.*?) *\|$/gm)].map(([, name, values]) => [name, values]);
    const modes = Object.keys(GUIDELINES_OF) as (keyof typeof GUIDELINES_OF)[];
    const behind = (name: string) => modes.filter((mode) => (GUIDELINES_OF[mode] as readonly string[]).includes(name));
    expect(rows).toEqual(
      CHECKLIST_NAMES.map((name) => [
        name,
        behind(name)
          .map((mode) => `\`'${mode}'\``)
          .join(', '),
      ]),
    );
  });

  it('and `evaluate`, which has no checks to turn off, does not ask for them', () => {
    const { description } = evaluateOptions.shape.checklists;
    expect(description).toBe(`Guidelines to add evidence for, of ${CHECKLIST_NAMES.join(', ')}.`);
    expect(validatorOptions.shape.checklists.description).toBe(`${description.slice(0, -1)}; needs the checks.`);
  });
});

it.each([
  { compliance: null, checklists: [], checkLeakage: false, checkBalance: false },
  { compliance: 'FDA', checkLeakage: 'strict' },
])('checks may be off without evidence, and strict with it: %j', (options) => {
  expect(() => new CVKitValidator(options as ValidatorOptions)).not.toThrow();
});

describe('what it leaves alone', () => {
  /** Without what differs from run to run. */
  const steady = (text: string) =>
    text.replace(/\d+\.\d s\b|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '').replace(/(\| |<td>)\d+\.\d( \||<\/td>)/g, '');

  it('the rest of every report, byte by byte, and the default summary but for its line', async () => {
    const [plain, asked] = [await validate({}), await validate({ compliance: 'CE', checklists: ['CLAIM'] })];
    const [markdown, html] = [asked.toMarkdown(), await asked.toHTML()];
    expect(steady(markdown.slice(0, markdown.indexOf('\n\n## Evidence')))).toBe(steady(plain.toMarkdown().trimEnd()));
    const [style] = /\n\.evidence [\s\S]*?(?=\n<\/style>)/.exec(html) ?? [''];
    const tables = html.slice(html.indexOf('\n<h2 id="evidence'), html.indexOf('\n<footer>'));
    const links = /<li><a href="#evidence[^<]*<\/a><\/li>/g;
    expect(steady(html.replace(style, '').replace(tables, '').replace(links, ''))).toBe(steady(await plain.toHTML()));
    const [short, whole] = [plain.summary(), asked.summary()];
    expect(steady(whole).startsWith(steady(short))).toBe(true);
    expect(whole.replace(/\s+/g, ' ')).toMatch(
      /Evidence for the author's own filing is in .* Annex IV: 0 filled, 5 in part and 3 left to the author, of 8 items; GMLP: /,
    );
    const { evidence: _, manifest, ...rest } = asked.toJSON();
    const { evidence: none, manifest: before, ...others } = plain.toJSON();
    expect(none).toBeNull();
    expect(Object.keys(rest)).toEqual(Object.keys(others));
    expect(Object.keys(manifest as object)).toEqual(Object.keys(before as object));
  });

  it('the disk', async () => {
    const before = readdirSync('.').sort();
    const result = await validate({ compliance: 'FDA' });
    result.toMarkdown();
    await result.toHTML();
    expect(readdirSync('.').sort()).toEqual(before);
  });
});
