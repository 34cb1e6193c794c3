import { describe, expect, it } from 'vitest';
import * as preprocessing from '../../src/preprocessing/index.js';
import { thrown } from '../helpers/thrown.js';

const { transformerFromJSON, StandardScaler, SMOTE } = preprocessing;

describe('transformerFromJSON', () => {
  it('knows every class that can be written', () => {
    const classes = Object.entries(preprocessing).filter(([name]) => /^[A-Z]/.test(name));
    const made = classes.flatMap(([name, Class]) => {
      if (name === 'FunctionTransformer') return [];
      const args =
        name === 'Pipeline' ? [[new StandardScaler()]] : name === 'ColumnTransformer' ? [[['a', 'drop', 0]]] : [];
      return [new (Class as new (...args: unknown[]) => { toJSON(): unknown; name: string })(...args)];
    });
    expect(made.length).toBeGreaterThan(12);
    for (const each of made) {
      expect(JSON.stringify(transformerFromJSON(JSON.parse(JSON.stringify(each))))).toBe(JSON.stringify(each));
    }
    expect(transformerFromJSON(new SMOTE({ kNeighbors: 3 }).toJSON())).toBeInstanceOf(SMOTE);
  });

  it('refuses anything else', async () => {
    const texts = [];
    for (const json of [null, {}, { transformer: 'constructor' }, { transformer: 'Scaler' }]) {
      texts.push(await thrown(() => transformerFromJSON(json)));
    }
    texts.push(await thrown(() => StandardScaler.fromJSON({ transformer: 'PCA', options: {} })));
    expect(texts).toMatchInlineSnapshot(`
      [
        "InvalidDataError (other_transformer): The JSON of a transformer must be what \`toJSON\` of one of cvkit/preprocessing gave. Got null.",
        "InvalidDataError (other_transformer): The JSON of a transformer must be what \`toJSON\` of one of cvkit/preprocessing gave. Got an empty object.",
        "InvalidDataError (other_transformer): The JSON of a transformer must be what \`toJSON\` of one of cvkit/preprocessing gave. Got 'constructor'.",
        "InvalidDataError (other_transformer): The JSON of a transformer must be what \`toJSON\` of one of cvkit/preprocessing gave. Got 'Scaler'.",
        "InvalidDataError (other_transformer): The JSON of a StandardScaler must be of that class. Got 'PCA'.",
      ]
    `);
  });
});
