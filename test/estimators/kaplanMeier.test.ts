import { describe, expect, it } from 'vitest';
import { estimatorFromJSON } from '../../src/estimators/estimatorFromJSON.js';
import { KaplanMeier } from '../../src/estimators/kaplanMeier.js';
import { close, tables, versions } from '../helpers/survivalTables.js';

describe.each(tables)(
  `KaplanMeier on the table $name, against survfit of survival ${versions.survival}`,
  ({ data, curves, incidence: incidences }) => {
    it('predicts the curve of the rows; with competing events that of Aalen and Johansen', () => {
      const rows = data.time.map(() => [0]);
      for (const [at, weight] of [null, data.weight].entries()) {
        const model = new KaplanMeier().fit(rows, { time: data.time, event: data.event }, weight);
        const { times, survival } = curves[at];
        const [incidence] = incidences?.[at] ?? [];
        const [first, second] = model.predictSurvival([[0], [1]], incidence?.times ?? times);
        close(first, incidence ? incidence.incidence.map((each) => 1 - each) : survival);
        expect(second).toEqual(first);
        expect(model.predictRisk([[0], [1]])).toEqual([0, 0]);
        const again = estimatorFromJSON(JSON.parse(JSON.stringify(model))) as KaplanMeier;
        expect(again.curve).toEqual(model.curve);
      }
    });
  },
);
