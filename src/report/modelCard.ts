/** A model card in Markdown, as far as a run can fill it. Source: Mitchell et al. 2019, FAT* '19:220. */
import { markdownText } from '../core/foreignText.js';
import { counted } from '../core/format.js';
import { limits, methodsText, subjectText } from './account.js';
import type { ReportModel } from './reportModel.js';
import { intervalNotes, scoreSummary, TO_DO } from './sections.js';
import { markdownTable } from './textReport.js';

export function modelCard(result: ReportModel): string {
  const { manifest: m, verdict } = result;
  const todo = (what: string) => `*${TO_DO}: ${what}.*`;
  const list = (items: readonly string[]) => items.map((item) => `- ${markdownText(item)}`).join('\n');
  const scores = scoreSummary(result, { marks: false });
  const parts: readonly (readonly [title: string, ...blocks: string[]])[] = [
    [
      'Model details',
      list([
        `Kind: ${m.adapter}${m.model === null ? '' : ` (${m.model})`}`,
        ...(m.training ? [`Training: ${m.training.optimizer}, ${m.training.lossFn}`] : []),
        ...(m.preprocessing ? [`Preparation: ${m.preprocessing.steps}`] : []),
        ...(m.fixedModel === null ? [] : [`Not trained here: ${m.fixedModel}`]),
        `Made with cvkit ${m.cvkit} on ${m.startedAt.slice(0, 10)}`,
      ]),
      todo('developers, version, licence, contact'),
    ],
    ['Intended use', markdownText(subjectText(result)), todo('users, purpose, and uses that are out of scope')],
    [
      'Factors',
      todo('groups, devices and settings in which it may differ; `subgroupTable` and `acrossSites` measure that'),
    ],
    ['Metrics', markdownTable(scores.header, scores.rows, markdownText), list(intervalNotes(result, { fits: false }))],
    [
      'Evaluation data',
      list([
        `${counted(m.n, 'row')}${m.nGroups === null ? '' : ` of ${counted(m.nGroups, 'patient')}`}${m.dataset?.description ? `: ${m.dataset.description}` : ''}`,
        `Folds: ${m.design}, fingerprint ${m.foldFingerprint}`,
      ]),
      todo('where the patients come from, when, and who was excluded'),
    ],
    [
      'Training data',
      m.fixedModel === null ? 'In each fold the rows that it does not test.' : todo('what the model was trained on'),
    ],
    ['Analyses', markdownText(methodsText(result).join(' ')), `**${markdownText(verdict.text)}**`],
    ['Ethical considerations', todo('harms, privacy, who is affected by wrong predictions')],
    ['Caveats', list(limits(result))],
  ];
  const body = parts.map(([title, ...blocks]) =>
    [`## ${title}`, ...blocks.filter((block) => block !== '')].join('\n\n'),
  );
  return `${['# Model card', ...body].join('\n\n')}\n`;
}
