/** A table of numbers and texts with gaps: filled and one-hot encoded, beside scikit-learn's ColumnTransformer. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomSource } from 'cvkit';
import { ColumnTransformer, OneHotEncoder, Pipeline, SimpleImputer } from 'cvkit/preprocessing';
import { timed } from './clock.mjs';
import { inTurns } from './turns.mjs';

const [ROWS, EACH] = [200_000, 20];

export async function encoder(peer, folder) {
  const { columns, numbers, texts } = table(folder);
  const both = () =>
    new ColumnTransformer([
      ['numbers', new SimpleImputer({ strategy: 'median' }), numbers],
      ['texts', new Pipeline([new SimpleImputer({ strategy: 'mostFrequent' }), new OneHotEncoder()]), texts],
    ]);
  await inTurns({
    title: `SimpleImputer and OneHotEncoder, ${ROWS} x ${2 * EACH}`,
    rounds: 5,
    atMost: 1.5,
    agree: 1e-9,
    async ours() {
      const { result, ...times } = await timed(() => both().fitTransform(columns));
      return { ...times, ...sums(result) };
    },
    theirs: peer && (() => peer.run('encoder', { name: 'mixed', sparse: false })),
  });
}

/** What must be the same on both sides. */
function sums(rows) {
  const byColumn = new Float64Array(rows[0].length);
  for (const row of rows) for (let at = 0; at < row.length; at++) byColumn[at] += row[at];
  const byPlace = byColumn.reduce((sum, value, at) => sum + at * value, 0);
  return { columns: byColumn.length, sum: byColumn.reduce((a, b) => a + b) / 1e6, 'by place': byPlace / 1e9 };
}

/** 20 columns of numbers, 20 of texts with 2 to 21 categories; one cell of ten is missing. Written for the peer, too. */
function table(folder) {
  const random = randomSource(3);
  const numbers = Array.from({ length: EACH }, (_, at) => `number_${at}`);
  const cells = numbers.map(() =>
    Float64Array.from({ length: ROWS }, () =>
      random.random() < 0.1 ? Number.NaN : Math.round(1e4 * random.random()) / 100,
    ),
  );
  const words = Array.from({ length: EACH }, (_, at) =>
    Array.from({ length: 2 + at }, (_, place) => `level ${String.fromCharCode(97 + place)}`),
  );
  const codes = words.map((own) =>
    Uint8Array.from({ length: ROWS }, () =>
      random.random() < 0.1 ? own.length : Math.floor(own.length * random.random() ** 2),
    ),
  );
  const texts = words.map((_, at) => `text_${at}`);
  writeFileSync(join(folder, 'mixed.numbers'), Buffer.concat(cells.map((column) => Buffer.from(column.buffer))));
  writeFileSync(join(folder, 'mixed.codes'), Buffer.concat(codes));
  const facts = { numbers, texts: Object.fromEntries(texts.map((name, at) => [name, words[at]])) };
  writeFileSync(join(folder, 'mixed.json'), JSON.stringify(facts));
  const written = texts.map((_, at) => Array.from(codes[at], (code) => words[at][code] ?? null));
  const columns = Object.fromEntries([...numbers, ...texts].map((name, at) => [name, [...cells, ...written][at]]));
  return { columns, numbers, texts };
}
