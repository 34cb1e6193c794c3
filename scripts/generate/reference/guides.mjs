/** Which guides explain a name: those that mention it most in their own text. */

/** Guides that a page of the reference leads to. */
const MOST = 2;
/** Mentions that make a guide one that explains the name. */
const ENOUGH = 2;

/**
 * @param texts guides by path below docs, as they are written
 * @param items what has pages, in their folders
 * @param guideOf the guide of all members of a folder, where there is one
 */
export function guidesByName(texts, items, guideOf) {
  const guides = Object.entries(texts).map(([path, text]) => ({
    path,
    title: text.match(/^# (.+)$/m)?.[1].replaceAll('`', '') ?? path,
    words: counted(text.replace(/<!-- generated[\s\S]*?<!-- \/generated -->/g, '')),
  }));
  const known = new Map(guides.map((each) => [each.path, each]));
  return new Map(
    items.map(({ name, folder }) => {
      const own = guideOf(folder);
      if (own && !known.has(own))
        throw new Error(`docs/${own} is gone, which scripts/generate/reference/index.mjs leads to`);
      const ranked = guides
        .filter(({ path, words }) => path !== own && (words.get(name) ?? 0) >= ENOUGH)
        .sort((a, b) => b.words.get(name) - a.words.get(name) || (a.path < b.path ? -1 : 1));
      return [name, [...(own ? [known.get(own)] : []), ...ranked].slice(0, MOST)];
    }),
  );
}

/** How often a name stands in code; in a heading it counts ten times. */
function counted(text) {
  const words = new Map();
  const add = (name, weight) => words.set(name, (words.get(name) ?? 0) + weight);
  for (const line of text.split('\n')) {
    const weight = line.startsWith('#') ? 10 : 1;
    for (const [, code] of line.matchAll(/`([^`]+)`/g)) for (const name of code.match(/\w+/g) ?? []) add(name, weight);
    for (const [, name] of line.replace(/`[^`]+`/g, '').matchAll(/\b(\w+)\(/g)) add(name, weight);
  }
  return words;
}
