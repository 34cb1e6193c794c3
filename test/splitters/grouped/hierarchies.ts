/** Random hierarchies with crossings, and their units by brute force. */
import fc from 'fast-check';

export type Hierarchy = Record<string, (number | string)[]>;

/** Sites, patients, visits and images, most of them nested; some rows at a strange site, or with a borrowed inner id. */
export const hierarchies: fc.Arbitrary<Hierarchy> = fc
  .array(
    fc.record({
      patient: fc.integer({ min: 0, max: 19 }),
      visit: fc.integer({ min: 0, max: 2 }),
      stray: fc.constantFrom<'no' | 'site' | 'visit' | 'image'>(...Array<'no'>(8).fill('no'), 'site', 'visit', 'image'),
    }),
    { minLength: 2, maxLength: 60 },
  )
  .map((rows) => ({
    site: rows.map(({ patient, stray }) => (stray === 'site' ? -1e9 : 1e9 * (patient % 7))),
    patient: rows.map(({ patient }) => `p${patient}`),
    visit: rows.map(({ patient, visit, stray }) => (stray === 'visit' ? 0 : 3 * patient + visit + 1)),
    image: rows.map(({ stray }, row) => (stray === 'image' ? 'template' : `image ${row}`)),
  }));

/** The transitive closure of "shares an id of an inner level", as codes in the order of the ids. */
export function unitsByClosure(hierarchy: Hierarchy, level: string): { codes: number[]; count: number } {
  const levels = Object.keys(hierarchy);
  const inner = levels.slice(levels.indexOf(level) + 1);
  const ids = [...new Set(hierarchy[level])].sort((a, b) => (a < b ? -1 : 1));
  const within = (name: string, id: unknown) =>
    new Set(hierarchy[name].filter((_, row) => hierarchy[level][row] === id));
  const near = ids.map((a) =>
    ids.map((b) => inner.some((name) => [...within(name, a)].some((id) => within(name, b).has(id)))),
  );
  for (const middle of ids.keys()) {
    for (const from of ids.keys()) {
      for (const to of ids.keys()) near[from][to] ||= near[from][middle] && near[middle][to];
    }
  }
  const smallest = ids.map((_, id) => ids.findIndex((_, other) => other === id || near[id][other]));
  const roots = [...new Set(smallest)].sort((a, b) => a - b);
  const codeOf = new Map(ids.map((id, at) => [id, roots.indexOf(smallest[at])]));
  return { codes: hierarchy[level].map((id) => codeOf.get(id) as number), count: roots.length };
}
