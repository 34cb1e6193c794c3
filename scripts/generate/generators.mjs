/** Tables of what the generators of patients simulate, for docs/generators.md. */
import { markdownTable } from './markdown.mjs';

/** The clinical features, and the first of the noise that follows them. */
export const featureTable = ({ clinical, featuresOf }) =>
  markdownTable(
    ['feature', 'value', 'coefficient', 'rho', 'bySite', 'byTime'],
    featuresOf(clinical.length + 1).map((feature, at) => [
      `\`${feature.name}\`${at === clinical.length ? ', ...' : ''}`,
      valueText(feature),
      feature.effect,
      feature.betweenPatients ?? 1,
      feature.bySite || '',
      feature.byTime || '',
    ]),
  );

export const siteTable = ({ sites }) =>
  markdownTable(
    ['site', 'share of patients', 'level', 'siteEffect'],
    sites.map(({ id, share, level, effect }) => [id, share, level, effect]),
  );

/** How a value follows from z: `inUnit` of src/datasets/clinicalFeatures.ts in words. */
function valueText({ kind, share, centre, spread }) {
  const z = (factor) => (factor === 1 ? 'z' : `${factor} z`);
  const times = (factor, what) => (factor === 1 ? what : `${factor} ${what}`);
  if (kind === 'binary') return `0 or 1, share ${share}`;
  if (kind === 'bounded') return `${centre} + ${z(spread)} / sqrt(4 + z²)`;
  if (kind === 'lognormal') return times(centre, `exp(${z(spread)})`);
  if (kind === 'below100') return `100 - ${times(centre, `exp(${z(-spread)})`)}`;
  return centre === 0 ? z(spread) : `${centre} + ${z(spread)}`;
}
