import { describe, expect, it } from 'vitest';
import { DataLeakageChecker } from '../../src/checkers/dataLeakageChecker.js';
import { randomSource } from '../../src/core/random.js';

const random = randomSource(2);
const y = Array.from({ length: 80 }, (_, row) => row % 2);
const measured = () => ({ a: random.random(), b: random.random(), c: random.random() });
const statusOf = async (more: (row: number) => object, type: string, options = {}) => {
  const X = y.map((_, row) => ({ ...measured(), ...more(row) }));
  const { checks } = await new DataLeakageChecker().check(X, y, { only: [type], ...options });
  return checks[0];
};

describe('openQuestion', () => {
  it.each(['temporal', 'spatial_proximity', 'hierarchical', 'site_confounding'])(
    'does not arise where no column looks like the input: %s',
    async (type) => {
      expect(await statusOf(() => ({}), type)).toMatchObject({ type, status: 'not_applicable', severity: 'none' });
      const images = y.map(() => Array.from({ length: 8 }, () => Array.from({ length: 8 }, () => random.random())));
      const { checks } = await new DataLeakageChecker().check(images, y, { only: [type] });
      expect(checks[0].status).toBe('not_applicable');
    },
  );

  const day = (row: number) => new Date(Date.UTC(2024, 0, 1 + ((row * 37) % 80)));
  it.each<[string, string, (row: number) => object]>([
    ['temporal', 'seen', (row) => ({ seen: day(row) })],
    ['temporal', 'seen', (row) => ({ seen: day(row).toISOString() })],
    ['temporal', 'visitDate', (row) => ({ visitDate: `${1 + (row % 28)}.03.2024` })],
    ['spatial_proximity', 'latitude', () => ({ latitude: 50 + random.random() })],
    ['spatial_proximity', 'lat, lon', () => ({ lat: 50 + random.random(), lon: random.random() })],
    ['spatial_proximity', 'x_coord', () => ({ x_coord: random.random() })],
    ['hierarchical', 'hospital_id', (row) => ({ hospital_id: row % 4 })],
    ['site_confounding', 'Site', (row) => ({ Site: `s${row % 4}` })],
  ])('is open where a column looks like it, and names the column: %s by %s', async (type, names, more) => {
    const open = await statusOf(more, type);
    expect(open).toMatchObject({ type, status: 'not_evaluated' });
    expect(open.message).toContain(names);
    expect(open.fix).toContain(`notApplicable: ['${type}']`);
    const said = await statusOf(more, type, { notApplicable: [type] });
    expect(said).toMatchObject({ status: 'not_applicable', evidence: { authorsWord: 'notApplicable' } });
  });

  it.each<[string, string, (row: number) => object]>([
    ['temporal', 'a duration', (row) => ({ time_in_hospital: 1 + (row % 14) })],
    ['spatial_proximity', 'lateral', () => ({ lat: random.random() })],
    ['hierarchical', 'the site of a tumour', (row) => ({ primary_site: `site ${row % 3}` })],
  ])('does not take what sounds alike for it: %s by %s', async (type, _, more) => {
    expect((await statusOf(more, type)).status).toBe('not_applicable');
  });
});
