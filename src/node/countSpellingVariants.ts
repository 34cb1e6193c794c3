/** Texts that are most often one, written in several ways. */

/** A text without what people write in several ways: capitals and blanks. */
export const withoutCase = (text: string): string => text.toLowerCase().replace(/\s+/g, '');

/** How many texts, made plain, are written in more ways than one. */
export function countSpellingVariants(texts: Iterable<string>, plainOf: (text: string) => string): number {
  const ways = new Map<string, number>();
  for (const text of new Set(texts)) {
    const plain = plainOf(text);
    ways.set(plain, (ways.get(plain) ?? 0) + 1);
  }
  return [...ways.values()].filter((n) => n > 1).length;
}
