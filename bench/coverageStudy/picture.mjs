/** The picture of the coverage study: coverage against width, one dot per scenario and metric. */
import { GOALS, JUDGED } from './scenarios.mjs';

const COLOURS = {
  roc_auc: '#0072b2',
  accuracy: '#e69f00',
  sensitivity: '#009e73',
  specificity: '#cc79a7',
  brier: '#56b4e9',
};
export const TITLES = {
  roc_auc: 'AUC',
  accuracy: 'accuracy',
  sensitivity: 'sensitivity',
  specificity: 'specificity',
  brier: 'Brier',
};
const [WIDTH, HEIGHT] = [720, 440];
const BOX = { left: 70, right: 550, top: 24, bottom: 380 };

/**
 * SVG of `rows` (see `summarise`) for `ciFits: 10`. Filled dots: the corrected t interval itself covers .93 or more
 * there, so that its width is a fair ruler; rings: it does not. Values beyond the axes stand on their edge.
 */
export function picture(rows) {
  const dots = rows.filter(({ metric, ratios }) => JUDGED.includes(metric) && Number.isFinite(ratios.fits10));
  const least = Math.min(0.88, ...dots.map(({ methods }) => Math.floor(methods.fits10.covered * 50) / 50));
  const scale = (from, to, low, high) => (value) =>
    from + ((Math.min(high, Math.max(low, value)) - low) / (high - low)) * (to - from);
  const x = scale(BOX.left, BOX.right, 0.3, 1.5);
  const y = scale(BOX.bottom, BOX.top, least, 1);
  const fixed = (value) => value.toFixed(1);
  const text = (at, down, words, more = '') => `<text x="${fixed(at)}" y="${fixed(down)}" ${more}>${words}</text>`;
  const line = (x1, y1, x2, y2, more = 'stroke="#ccc"') =>
    `<line x1="${fixed(x1)}" y1="${fixed(y1)}" x2="${fixed(x2)}" y2="${fixed(y2)}" ${more}/>`;
  const [low, high] = [GOALS.least.stable, GOALS.mean[1]];
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13" role="img">`,
    '<title>Coverage of the 95 % interval against its width, one dot per scenario and metric</title>',
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<rect x="${BOX.left}" y="${fixed(y(high))}" width="${BOX.right - BOX.left}" height="${fixed(y(low) - y(high))}" fill="#dcefdc"/>`,
  ];
  const step = 1 - least > 0.25 ? 0.05 : 0.02;
  for (let tick = 1; tick > least - 1e-9; tick -= step) {
    parts.push(line(BOX.left, y(tick), BOX.right, y(tick)));
    parts.push(text(BOX.left - 8, y(tick) + 4, tick.toFixed(2), 'text-anchor="end"'));
  }
  for (const tick of [0.4, 0.6, 0.8, 1, 1.2, 1.4]) {
    parts.push(line(x(tick), BOX.bottom, x(tick), BOX.bottom + 5, 'stroke="#333"'));
    parts.push(text(x(tick), BOX.bottom + 20, tick.toFixed(1), 'text-anchor="middle"'));
  }
  parts.push(line(BOX.left, BOX.bottom, BOX.right, BOX.bottom, 'stroke="#333"'));
  parts.push(line(x(GOALS.width), BOX.top, x(GOALS.width), BOX.bottom, 'stroke="#888" stroke-dasharray="4 4"'));
  parts.push(
    text(
      (BOX.left + BOX.right) / 2,
      BOX.bottom + 44,
      'mean width over that of the corrected t interval',
      'text-anchor="middle"',
    ),
  );
  const middle = (BOX.top + BOX.bottom) / 2;
  parts.push(text(20, middle, 'coverage', `text-anchor="middle" transform="rotate(-90 20 ${middle})"`));
  for (const { metric, ratios, methods } of dots) {
    const fair = methods.corrected_t?.covered >= GOALS.rulerCovers;
    const fill = fair ? `fill="${COLOURS[metric]}" fill-opacity=".75"` : 'fill="none"';
    parts.push(
      `<circle cx="${fixed(x(ratios.fits10))}" cy="${fixed(y(methods.fits10.covered))}" r="4.5" ${fill} stroke="${COLOURS[metric]}" stroke-width="1.5"/>`,
    );
  }
  JUDGED.forEach((metric, at) => {
    parts.push(
      `<circle cx="572" cy="${40 + 22 * at}" r="4.5" fill="${COLOURS[metric]}"/>`,
      text(584, 44 + 22 * at, TITLES[metric]),
    );
  });
  const below = 40 + 22 * JUDGED.length;
  parts.push(`<circle cx="572" cy="${below + 8}" r="4.5" fill="none" stroke="#333" stroke-width="1.5"/>`);
  parts.push(text(584, below + 12, 'corrected t'), text(584, below + 28, `covers below ${share(GOALS.rulerCovers)}`));
  parts.push(
    `<rect x="566" y="${below + 44}" width="12" height="12" fill="#dcefdc"/>`,
    text(584, below + 55, `${share(low)} to ${share(high)}`),
  );
  parts.push(
    line(566, below + 74, 578, below + 74, 'stroke="#888" stroke-dasharray="4 4"'),
    text(584, below + 78, `goal of the median`),
  );
  return `${parts.join('\n')}\n</svg>\n`;
}

const share = (value) => String(value).replace(/^0/, '');
