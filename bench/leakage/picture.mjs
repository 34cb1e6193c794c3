/** The picture of the leakage suite: sensitivity against specificity, one dot per check and per rule of other packages. */
import { GOALS } from './summary.mjs';

const COLOURS = {
  cvkit: '#0072b2',
  trustcv: '#d55e00',
  deepchecks: '#e69f00',
  cleanlab: '#009e73',
  cleanvision: '#cc79a7',
};
const [WIDTH, HEIGHT] = [760, 420];
/** All values on the left, the corner of the goals on the right. */
const PANELS = [
  { left: 60, right: 360, top: 40, bottom: 340, low: 0, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] },
  { left: 430, right: 730, top: 40, bottom: 340, low: 0.9, ticks: [0.9, 0.92, 0.94, 0.96, 0.98, 1] },
];

const GOAL = 'stroke="#888" stroke-dasharray="4 4"';

const fixed = (value) => value.toFixed(1);
const text = (at, down, words, more = '') => `<text x="${fixed(at)}" y="${fixed(down)}" ${more}>${words}</text>`;
const line = (x1, y1, x2, y2, more = 'stroke="#ddd"') =>
  `<line x1="${fixed(x1)}" y1="${fixed(y1)}" x2="${fixed(x2)}" y2="${fixed(y2)}" ${more}/>`;

/** `[{ who, name, sensitivity, specificity }]` of all that have both. */
function dotsOf(checks, rows) {
  return [
    ...rows
      .filter(({ planted, clean }) => planted > 0 && clean > 0)
      .map(({ check, rule, planted, clean, ruleFound, ruleAccused }) => ({
        who: rule.split(',')[0],
        name: `${check}, ${rule}`,
        sensitivity: ruleFound / planted,
        specificity: 1 - ruleAccused / clean,
      })),
    ...checks
      .filter(({ planted, clean }) => planted && clean)
      .map(({ check, type, planted, clean }) => ({
        who: 'cvkit',
        name: `${check} ${type}`,
        sensitivity: planted.share,
        specificity: clean.share,
      })),
  ];
}

function panel({ left, right, top, bottom, low, ticks }, dots) {
  const x = (value) => left + ((value - low) / (1 - low)) * (right - left);
  const y = (value) => bottom - ((value - low) / (1 - low)) * (bottom - top);
  const digits = low === 0 ? 1 : 2;
  return [
    ...ticks.flatMap((tick) => [
      line(left, y(tick), right, y(tick)),
      line(x(tick), top, x(tick), bottom),
      text(left - 8, y(tick) + 4, tick.toFixed(digits), 'text-anchor="end"'),
      text(x(tick), bottom + 18, tick.toFixed(digits), 'text-anchor="middle"'),
    ]),
    text((left + right) / 2, bottom + 38, 'specificity', 'text-anchor="middle"'),
    line(left, y(GOALS.planted), right, y(GOALS.planted), GOAL),
    line(x(GOALS.clean), top, x(GOALS.clean), bottom, GOAL),
    ...dots
      .filter(({ sensitivity, specificity }) => Math.min(sensitivity, specificity) >= low)
      .map(({ who, name, sensitivity, specificity }) => {
        const colour = COLOURS[who];
        const words = `${name}: sensitivity ${sensitivity.toFixed(3)}, specificity ${specificity.toFixed(3)}`;
        return `<circle cx="${fixed(x(specificity))}" cy="${fixed(y(sensitivity))}" r="4.5" fill="${colour}" fill-opacity=".7" stroke="${colour}"><title>${words}</title></circle>`;
      }),
  ];
}

/** SVG of checks (see `byCheck`) and of the records of the comparison. */
export function picture(checks, rows) {
  const dots = dotsOf(checks, rows);
  const middle = (PANELS[0].top + PANELS[0].bottom) / 2;
  const present = Object.keys(COLOURS).filter((who) => dots.some((dot) => dot.who === who));
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13" role="img">`,
    '<title>Sensitivity against specificity, one dot per check of cvkit and per rule of other packages</title>',
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(PANELS[0].left, 24, 'all', 'font-weight="bold"'),
    text(PANELS[1].left, 24, 'both .9 or more', 'font-weight="bold"'),
    text(18, middle, 'sensitivity', `text-anchor="middle" transform="rotate(-90 18 ${middle})"`),
    ...PANELS.flatMap((each) => panel(each, dots)),
    ...present.flatMap((who, at) => [
      `<circle cx="${60 + 112 * at}" cy="402" r="4.5" fill="${COLOURS[who]}"/>`,
      text(70 + 112 * at, 406, who),
    ]),
    line(60 + 112 * present.length, 402, 72 + 112 * present.length, 402, GOAL),
    text(78 + 112 * present.length, 406, 'goals (limits)'),
  ];
  return `${parts.join('\n')}\n</svg>\n`;
}
