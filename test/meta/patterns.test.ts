/** Every regular expression of the package takes linear time: found by the type checker, run on texts made of its own parts. */
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { placeOf, programOf, projectFiles, walk } from './program.js';

/** Patterns that are made of what the caller writes, by file, each with the reason. */
const OF_THE_CALLER: Readonly<Record<string, string>> = {
  'src/data/copyInstance.ts': 'copies a pattern of the model, and matches nothing with it',
  'src/node/images/readImages.ts': 'the option `from` is a pattern of the caller',
  'src/node/images/readImagesOptions.ts': 'counts the groups of a pattern of the caller, on an empty text',
  'src/preprocessing/columnChoice.ts': 'a pattern of the caller, as it was saved',
};
/** What stands for a variable part of a pattern. */
const VARIABLE: Readonly<Record<string, string>> = { delimiter: ',' };

// ---- finding ----

interface Found {
  readonly at: string;
  readonly pattern?: RegExp;
}

/** Literals, `RegExp(...)`, and texts that `match`, `matchAll` and `search` make patterns of. */
function patternsOf(program: ts.Program): Found[] {
  const checker = program.getTypeChecker();
  const found: Found[] = [];
  for (const [, file] of projectFiles(program)) {
    walk(file, (node) => {
      const at = placeOf(node);
      if (ts.isRegularExpressionLiteral(node)) found.push({ at, pattern: literal(node.text) });
      const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
      if (isCall && isRegExpMaker(node.expression, checker)) {
        const [source, flags] = (node.arguments ?? []).map((each) => textOf(each, checker));
        found.push({ at, pattern: source === undefined ? undefined : new RegExp(source, flags) });
      }
      if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
        const [argument] = node.arguments;
        const isText = (each: ts.Node) => (checker.getTypeAtLocation(each).flags & ts.TypeFlags.StringLike) !== 0;
        const takes = /^(match|matchAll|search)$/.test(node.expression.name.text) && isText(node.expression.expression);
        if (takes && argument && isText(argument)) found.push({ at });
      }
    });
  }
  return found;
}

const isRegExpMaker = (node: ts.Expression, checker: ts.TypeChecker) =>
  checker.getTypeAtLocation(node).symbol?.name === 'RegExpConstructor';

function literal(text: string): RegExp {
  const end = text.lastIndexOf('/');
  return new RegExp(text.slice(1, end), text.slice(end + 1));
}

/** The text of an expression that is made of literals and constants; undefined where something else is in it. */
function textOf(node: ts.Expression, checker: ts.TypeChecker): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTaggedTemplateExpression(node)) {
    return node.tag.getText() === 'String.raw' ? joined(node.template, checker, true) : undefined;
  }
  if (ts.isTemplateExpression(node)) return joined(node, checker, false);
  if (ts.isIdentifier(node)) {
    const declaration = checker.getSymbolAtLocation(node)?.valueDeclaration;
    const made = declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
    return (made && textOf(made, checker)) ?? VARIABLE[node.text];
  }
  return undefined;
}

function joined(template: ts.TemplateLiteral, checker: ts.TypeChecker, raw: boolean): string | undefined {
  const text = (part: ts.TemplateLiteralLikeNode) => (raw ? (part.rawText ?? '') : part.text);
  if (!ts.isTemplateExpression(template)) return text(template);
  const parts = template.templateSpans.map(({ expression, literal: after }) => {
    const value = textOf(expression, checker);
    return value === undefined ? undefined : value + text(after);
  });
  return parts.includes(undefined) ? undefined : text(template.head) + parts.join('');
}

// ---- analysing ----

const CLASSES: Readonly<Record<string, string>> = { d: '01', w: 'a0_', s: ' \t\n', W: ' -', D: 'a-', S: 'a0' };
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', 0: '\0' };
const MOST_PARTS = 26;

/** Texts that a pattern speaks of: its runs of letters and signs, and members of its classes. */
function partsOf({ source, flags }: RegExp): string[] {
  const parts = new Set<string>();
  let run = '';
  const end = () => {
    if (run) parts.add(run);
    run = '';
  };
  const token =
    /\\[pP]\{[^}]*\}|\\u\{?([\da-f]+)\}?|\\(.)|\(\?(?:<?[=!]|:|<\w+>)|\{\d+,?\d*\}|\[(\^?)((?:\\.|[^\]\\])*)\]|[|()*+?^$]|(.)/gsu;
  for (const [whole, code, escaped, negated, members, char] of source.matchAll(token)) {
    const letter = code ? String.fromCodePoint(Number.parseInt(code, 16)) : (ESCAPES[escaped] ?? escaped);
    if (members !== undefined) {
      end();
      const inside = members.replace(/\\([dws])/g, (_, each: string) => CLASSES[each]).replace(/\\[pP]\{[^}]*\}/g, 'a');
      const signs = [...inside.replace(/\\(.)/gs, (_, each: string) => ESCAPES[each] ?? each)].slice(0, 8);
      for (const sign of negated ? ['a', '\t'] : signs) parts.add(sign);
    } else if (whole.startsWith('\\p') || whole.startsWith('\\P')) {
      end();
      parts.add('a');
    } else if (escaped && CLASSES[escaped]) {
      end();
      for (const each of CLASSES[escaped]) parts.add(each);
    } else if (escaped && /[bB1-9]/.test(escaped)) end();
    else if (letter !== undefined || (char !== undefined && char !== '.')) run += letter ?? char;
    else {
      end();
      if (char === '.') parts.add('a');
    }
  }
  end();
  // Long lists of words are told by a few of them.
  const all = [...parts].map((each) => (flags.includes('i') ? each.toLowerCase() : each));
  const kept = all.length <= MOST_PARTS ? all : all.filter((each, at) => each.length === 1 || at % 8 === 0);
  return [...new Set([...kept.slice(0, MOST_PARTS), ...(source.includes('A-Z') ? ['A'] : []), '0'])];
}

interface Attack {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

/** A start, a part or two again and again, and an end that does not fit. */
function* attacksOn(pattern: RegExp): Generator<Attack> {
  const parts = partsOf(pattern);
  const pumps = [...parts, ...parts.flatMap((one) => parts.filter((other) => other !== one).map((each) => one + each))];
  const single = parts.filter((part) => part.length === 1).slice(0, 12);
  for (const pump of pumps) {
    const starts = pump.length <= 2 ? ['', ...single] : [''];
    for (const prefix of starts) for (const suffix of ['\0', '', 'Aa"!']) yield { prefix, pump, suffix };
    if (pump.length === 1) for (const part of single) yield { prefix: '', pump, suffix: `\0${part}\0` };
  }
}

const textFor = ({ prefix, pump, suffix }: Attack, length: number) =>
  prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;

/**
 * Milliseconds of one search through the whole text, the least of several: of the processor, not of the clock, which goes
 * on where others use the machine.
 */
function timeOf(pattern: RegExp, text: string, repeats: number, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < repeats && least > enough; time++) {
    const start = process.cpuUsage();
    text.replace(pattern, '');
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** Lengths of texts, short ones first: a search that restarts at each letter needs 8 million steps for the last one. */
const LENGTHS = [18, 24, 30, 60, 250, 1000, 4000];
/** The slowest text of a pattern is tried in these, too. */
const LONGER = [16_000, 50_000];
/** More milliseconds are too many for 4000 letters: a linear search takes a hundredth, and one whose time is a square more. */
const TOO_LONG = 3;
/** Four times the letters take a linear search four times as long, and one whose time is a square 16 times. */
const [SHORT, LONG, MOST_TIMES] = [25_000, 100_000, 8];

/** The text on which a pattern takes more than linear time, as far as there is one. */
function slowText(found: RegExp): string | undefined {
  const pattern = new RegExp(found.source, found.flags.replace(/[gy]/g, '') + (found.sticky ? 'y' : 'g'));
  let slowest: Attack | undefined;
  let most = 0;
  for (const attack of attacksOn(pattern)) {
    for (const length of LENGTHS) {
      const time = timeOf(pattern, textFor(attack, length), 1, 0);
      if (takesTooLong(pattern, attack, length, time)) return shown(attack, length, time);
      if (length < 4000 || time <= most) continue;
      const again = timeOf(pattern, textFor(attack, length), 3, 0);
      if (again > most) [slowest, most] = [attack, again];
    }
  }
  if (!slowest) return undefined;
  for (const length of LONGER) {
    const time = timeOf(pattern, textFor(slowest, length), 1, 0);
    if (takesTooLong(pattern, slowest, length, time)) return shown(slowest, length, time);
  }
  const [short, long] = [SHORT, LONG].map((length) => textFor(slowest, length));
  for (let attempt = 0; attempt < 5; attempt++) {
    const time = timeOf(pattern, long, 5, 5);
    // So little a search whose time is a square would not take for 100 kB.
    if (time < 5 || time <= MOST_TIMES * timeOf(pattern, short, 5, 0)) return undefined;
  }
  return `${JSON.stringify(slowest)}: ${LONG} letters take more than ${MOST_TIMES} times of ${SHORT}`;
}

const shown = (attack: Attack, length: number, time: number) =>
  `${JSON.stringify(attack)}, ${length} letters: ${time.toFixed(0)} ms`;

/** Again where it took long: the machine may have done something else. */
function takesTooLong(pattern: RegExp, attack: Attack, length: number, time: number): boolean {
  const limit = TOO_LONG * Math.max(1, length / 4000);
  return time > limit && timeOf(pattern, textFor(attack, length), time > 1000 ? 3 : 10, limit) > limit;
}

const program = programOf({
  'src/checkers/planted patterns.ts': `
    const WORD = '[a-z]+';
    export const one = new RegExp(\`^(\${WORD})*$\`, 'i');
    export const other = globalThis.RegExp(String.raw\`\\s+$\`);
    export const text = (by: string) => 'a b'.search(by);
  `,
});
const all = patternsOf(program);
const isPlanted = ({ at }: Found) => at.startsWith('src/checkers/planted');

describe('`**`', () => {
  // V8 changed its last bit between Node 22 and 24, which a search for a flat minimum made 1e-8 (CVL006).
  it('squares, or is a whole power of two; all else is `power` of core/numbers', () => {
    const found: string[] = [];
    for (const [, file] of projectFiles(program)) {
      walk(file, (node) => {
        if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.AsteriskAsteriskToken) return;
        if (![node.left.getText(), node.right.getText()].some((text) => /^2n?$/.test(text))) found.push(placeOf(node));
      });
    }
    expect(found).toEqual([]);
  });
});

describe('finding patterns', () => {
  it('finds those that are made at run time of constants, and texts that are taken for patterns', () => {
    const planted = all.filter(isPlanted).map(({ pattern }) => pattern && String(pattern));
    expect(planted).toEqual(['/^([a-z]+)*$/i', '/\\s+$/', undefined]);
    expect(all.length).toBeGreaterThan(200);
  });

  it('reads all but those of the caller', () => {
    const unread = all.filter(({ pattern, at }) => !pattern && !isPlanted({ at })).map(({ at }) => at.split(':')[0]);
    expect(unread.toSorted()).toEqual(Object.keys(OF_THE_CALLER).toSorted());
  });
});

describe('analysing patterns', () => {
  // All of them stood in the package; the degrees are those that recheck 4.5.0 (npm) finds.
  it.each([
    ['exponential', /(?<![\w.'"-])(?:[a-z][a-z0-9]*|X)(?:[A-Z][A-Za-z0-9]*)+(?![\w'"-])/g],
    ['4th degree', /^[<>]*\s*\(?[+-]?\s*[$€£]?\s*\d[\d.,\s]*(e[+-]?\d+)?(\s*%|\s*[$€£]|\s+\p{L}[\p{L}\d/]*)?\)?$/iu],
    ['3rd degree', /^(?:[a-z]+|.*[a-z].*[-\s_/\\:|#,;])?0*(\d+)$/i],
    ['3rd degree', /[/\\]+[^/\\]*[/\\]*$/],
    ['3rd degree', /^(\w+)_([A-Za-z]\w*?)\d+(?:_input)?$/],
    ['2nd degree', /(?<!\d\.|[a-z\d])([a-z]*)0+(?=\d+(?![a-z\d]))/gi],
    ['2nd degree', /^[+-]?(\d+\.?\d*|\.\d+)(E[+-]?\d+)?$/i],
    ['2nd degree', /[\0 ]+$/],
    ['2nd degree', /"(?:[^"\\]|\\.)*"(?=\s*:)/g],
    ['2nd degree', /\{(?!(fold|epoch)\})[^}]*\}/],
    ['2nd degree', /( \(rows: .*\))?\. Got .*$|\.$/s],
    ['2nd degree', /^(Switch|Merge|NonMaxSuppression\w*|.*HashTable\w*|LookupTable\w*)$/],
  ])('finds a text for one that is %s: %s', (_, pattern) => {
    expect(slowText(pattern)).toBeDefined();
  });
});

describe('the patterns of the package', () => {
  it('take linear time', () => {
    const patterns = new Map(all.filter((each) => !isPlanted(each)).map(({ at, pattern }) => [String(pattern), at]));
    const slow: string[] = [];
    for (const { at, pattern } of all) {
      if (!pattern || patterns.get(String(pattern)) !== at) continue;
      const text = slowText(pattern);
      if (text) slow.push(`${at} ${pattern} on ${text}`);
    }
    expect(slow).toEqual([]);
  });
});
