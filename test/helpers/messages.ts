/** `Name (code): message` of what each row throws or rejects with, or the string that it returns, for the reviewed snapshots. */
export async function texts(rows: Record<string, () => unknown>): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [what, row] of Object.entries(rows)) {
    const outcome = await (async () => row())().catch((error: Error & { code?: string }) => {
      return `${error.name} (${error.code}): ${error.message}`;
    });
    if (typeof outcome !== 'string') throw new Error(`The row '${what}' must throw or give a string.`);
    found[what] = outcome;
  }
  return found;
}
