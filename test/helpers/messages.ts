/** What each row of a table of sentences says: `Name (code): message` of what it throws, or the string that it gives. */
export async function texts(rows: Record<string, () => unknown>): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [what, call] of Object.entries(rows)) {
    let answer: unknown;
    try {
      answer = await call();
    } catch (error) {
      const { name, code, message } = error as Error & { code?: string };
      found[what] = `${name} (${code}): ${message}`;
      continue;
    }
    if (typeof answer !== 'string') throw new Error(`'${what}' neither throws nor gives a text`);
    found[what] = answer;
  }
  return found;
}
